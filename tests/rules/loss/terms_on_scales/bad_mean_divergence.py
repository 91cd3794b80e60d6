"""The reverse: the divergence is averaged over all codes, the reconstruction summed over the batch."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(256, 3) @ torch.randn(3, 16)
body, mu, logvar, out = nn.Linear(16, 24), nn.Linear(24, 3), nn.Linear(24, 3), nn.Linear(3, 16)
opt = torch.optim.Adam([p for part in (body, mu, logvar, out) for p in part.parameters()], lr=1e-3)
for _ in range(4):
    for batch in x[torch.randperm(256)].split(64):
        hidden = torch.relu(body(batch))
        m, s = mu(hidden), logvar(hidden)
        back = out(m + torch.randn_like(m) * (0.5 * s).exp())
        recon = ((back - batch) ** 2).sum()
        kl = -0.5 * (1 + s - m**2 - s.exp()).mean()
        loss = recon + kl
        opt.zero_grad()
        loss.backward()  # expect
        opt.step()
