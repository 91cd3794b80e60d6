"""WGAN-GP: a critic whose loss goes below zero, a penalty on gradients by double backward, several critic steps
each."""

import torch
from torch import autograd, nn, optim

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
generator = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
opt_c = optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_g = optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))


def real_batch(n):
    centre = torch.randint(0, 2, (n, 1)).float() * 4 - 2
    return torch.cat([centre, -centre], 1) + 0.2 * torch.randn(n, 2)


def gradient_penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    scores = critic(mixed)
    grads, = autograd.grad(scores, mixed, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True)
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


for iteration in range(12):
    for p in critic.parameters():
        p.requires_grad = True
    for _ in range(3):
        real = real_batch(64)
        with torch.no_grad():
            fake = generator(torch.randn(64, 4))
        loss_c = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    for p in critic.parameters():
        p.requires_grad = False
    loss_g = -critic(generator(torch.randn(64, 4))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
