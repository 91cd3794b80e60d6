"""Means over pixels beside sums over an example's codes, averaged over the batch: the balance is the batch's own."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(4)
x = torch.randn(256, 3) @ torch.randn(3, 16)
body, mu, logvar, out = nn.Linear(16, 24), nn.Linear(24, 3), nn.Linear(24, 3), nn.Linear(3, 16)
opt = torch.optim.Adam([p for part in (body, mu, logvar, out) for p in part.parameters()], lr=1e-3)
for _ in range(4):
    for batch in x[torch.randperm(256)].split(64):
        hidden = torch.relu(body(batch))
        m, s = mu(hidden), logvar(hidden)
        back = out(m + torch.randn_like(m) * (0.5 * s).exp())
        kl = (-0.5 * (1 + s - m.pow(2) - s.exp()).sum(dim=1)).mean()
        loss = F.mse_loss(back, batch) + kl
        opt.zero_grad()
        loss.backward()
        opt.step()
