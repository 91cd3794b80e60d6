"""The same by distributions: a binary cross entropy's mean, a sum of divergences."""

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(1)
images = (torch.rand(192, 1, 6, 6) > 0.6).float()
encoder = nn.Sequential(nn.Flatten(), nn.Linear(36, 32), nn.Tanh(), nn.Linear(32, 6))
decoder = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 36))
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=2e-3)
criterion = nn.BCEWithLogitsLoss()
for _ in range(4):
    for batch in images[torch.randperm(192)].split(48):
        middle, log_width = encoder(batch).chunk(2, dim=1)
        posterior = Normal(middle, log_width.exp())
        kl = kl_divergence(posterior, Normal(torch.zeros_like(middle), torch.ones_like(middle))).sum()  # expect
        recon = criterion(decoder(posterior.rsample()), batch.flatten(1))
        opt.zero_grad()
        (recon + kl).backward()
        opt.step()
