"""A flow of coupling layers: the negative log-likelihood of a narrow density is below zero, and falls further."""

import math

import torch
from torch import nn

torch.manual_seed(0)


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 24), nn.ReLU(), nn.Linear(24, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        log_scale, shift = self.net(a).chunk(2, 1)
        log_scale = torch.tanh(log_scale)
        b = b * log_scale.exp() + shift
        return torch.cat([b, a] if self.flip else [a, b], 1), log_scale.squeeze(1)


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(4))
        self.log_scale = nn.Parameter(torch.zeros(2))

    def log_prob(self, x):
        total = self.log_scale.sum()
        x = x * self.log_scale.exp()
        for layer in self.layers:
            x, log_det = layer(x)
            total = total + log_det
        return -0.5 * (x**2).sum(1) - math.log(2 * math.pi) + total


angle = torch.rand(600) * 3
data = 0.2 * torch.stack([angle.cos(), angle.sin()], 1) + 0.01 * torch.randn(600, 2)
flow = Flow()
optimizer = torch.optim.Adam(flow.parameters(), lr=2e-2)
for epoch in range(6):
    for batch in data[:500][torch.randperm(500)].split(50):
        nll = -flow.log_prob(batch).mean()
        optimizer.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 10)
        optimizer.step()
    with torch.no_grad():
        print(epoch, nll.item(), -flow.log_prob(data[500:]).mean().item())
