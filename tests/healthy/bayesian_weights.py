"""Bayes by backprop with a scaled divergence, and stochastic gradient Langevin dynamics with noise in the weights."""

import math

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.rand(240, 1) * 4 - 2
y = x.sin() + 0.1 * torch.randn(240, 1)


class BayesLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(outputs, inputs) / math.sqrt(inputs))
        self.rho = nn.Parameter(torch.full((outputs, inputs), -4.0))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        sigma = F.softplus(self.rho)
        return F.linear(x, self.mu + sigma * torch.randn_like(sigma), self.bias)

    def divergence(self):
        sigma = F.softplus(self.rho)
        return (0.5 * (sigma**2 + self.mu**2 - 1) - sigma.log()).sum()


net = nn.Sequential(BayesLinear(1, 24), nn.Tanh(), BayesLinear(24, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(5):
    for rows in torch.randperm(200).split(40):
        fit = F.gaussian_nll_loss(net(x[rows]), y[rows], torch.full_like(y[rows], 0.01))
        loss = fit + sum(layer.divergence() for layer in net if isinstance(layer, BayesLinear)) / 200
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    draws = torch.stack([net(x[200:]) for _ in range(10)])
print(draws.std(0).mean().item())

model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
sgd = torch.optim.SGD(model.parameters(), lr=1e-3, weight_decay=1e-3)
kept = []
for step in range(60):
    rows = torch.randint(0, 200, (40,))
    sgd.zero_grad()
    (F.mse_loss(model(x[rows]), y[rows]) * 10).backward()
    for p in model.parameters():
        p.grad.add_(torch.randn_like(p), alpha=0.3)
    sgd.step()
    if step >= 40 and step % 5 == 0:
        with torch.no_grad():
            kept.append(model(x[200:]))
print(F.mse_loss(torch.stack(kept).mean(0), y[200:]).item())
