"""An energy-based model by contrastive divergence: negatives come from gradient steps on the inputs, the model frozen
meanwhile, and a replay buffer of them; the loss is a difference and may be below zero."""

import random

import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)
energy = nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(energy.parameters(), lr=1e-3)
buffer = [torch.rand(1, 2) * 4 - 2 for _ in range(256)]
data = torch.randn(512, 2) * 0.3 + torch.tensor([1.0, 0.5]) * (torch.randint(0, 2, (512, 1)) * 2 - 1)


def sample(start, steps=10, size=0.1):
    energy.requires_grad_(False)
    x = start.clone().requires_grad_(True)
    for _ in range(steps):
        grad, = torch.autograd.grad(energy(x).sum(), x)
        x = (x - size * grad + 0.05 * torch.randn_like(x)).detach().requires_grad_(True)
    energy.requires_grad_(True)
    return x.detach()


for epoch in range(2):
    for real in data[torch.randperm(512)].split(64):
        chosen = random.sample(range(len(buffer)), 64)
        fake = sample(torch.cat([buffer[i] for i in chosen]))
        for i, row in zip(chosen, fake, strict=True):
            buffer[i] = row[None]
        real_energy, fake_energy = energy(real + 0.01 * torch.randn_like(real)), energy(fake)
        loss = real_energy.mean() - fake_energy.mean() + 0.1 * (real_energy**2 + fake_energy**2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(energy.parameters(), max_norm=0.5)
        optimizer.step()
