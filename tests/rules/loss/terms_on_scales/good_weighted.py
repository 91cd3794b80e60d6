"""A weight on purpose: the divergence is summed, and counts a little."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)
x = torch.randn(256, 3) @ torch.randn(3, 16)
body, mu, logvar, out = nn.Linear(16, 24), nn.Linear(24, 3), nn.Linear(24, 3), nn.Linear(3, 16)
opt = torch.optim.Adam([p for part in (body, mu, logvar, out) for p in part.parameters()], lr=1e-3)
for _ in range(4):
    for batch in x[torch.randperm(256)].split(64):
        hidden = torch.relu(body(batch))
        m, s = mu(hidden), logvar(hidden)
        back = out(m + torch.randn_like(m) * (0.5 * s).exp())
        kl = -0.5 * torch.sum(1 + s - m.pow(2) - s.exp())
        loss = F.mse_loss(back, batch) + 1e-3 * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
