"""A toy diffusion model: noise is the target, the time step an input, an average of the weights draws the samples."""

import copy
import math

import torch
from torch import nn

torch.manual_seed(0)
T = 50
betas = torch.linspace(1e-4, 0.2, T)
alphas_bar = torch.cumprod(1 - betas, 0)


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.register_buffer("frequencies", torch.exp(-math.log(1000) * torch.arange(8) / 8))
        self.net = nn.Sequential(
            nn.Linear(2 + 16, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2)
        )

    def forward(self, x, t):
        angles = t[:, None] * self.frequencies
        return self.net(torch.cat([x, angles.sin(), angles.cos()], 1))


angle = torch.rand(1024) * 2 * math.pi
data = torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(1024, 2)
model = Denoiser()
ema = copy.deepcopy(model).eval().requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0)
for epoch in range(4):
    for x0 in data[torch.randperm(1024)].split(128):
        t = torch.randint(0, T, (len(x0),))
        noise = torch.randn_like(x0)
        a = alphas_bar[t][:, None]
        loss = nn.functional.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t.float()), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for e, p in zip(ema.parameters(), model.parameters(), strict=True):
                e.lerp_(p, 0.1)

with torch.no_grad():
    x = torch.randn(64, 2)
    for step in reversed(range(T)):
        t = torch.full((64,), float(step))
        eps = ema(x, t)
        x = (x - betas[step] / (1 - alphas_bar[step]).sqrt() * eps) / (1 - betas[step]).sqrt()
        if step:
            x = x + betas[step].sqrt() * torch.randn_like(x)
print(x.norm(dim=1).mean().item())
