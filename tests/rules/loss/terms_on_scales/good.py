"""A variational autoencoder: both terms are sums over an example, averaged over the batch."""

import torch
import torch.nn.functional as F
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(20, 24), nn.ReLU())
        self.mean, self.spread = nn.Linear(24, 4), nn.Linear(24, 4)
        self.decode = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 20))

    def forward(self, x):
        hidden = self.encode(x)
        mean, spread = self.mean(hidden), self.spread(hidden)
        code = mean + torch.randn_like(mean) * torch.exp(0.5 * spread)
        return self.decode(code), mean, spread


def loss_of(made, x, mean, spread):
    fit = F.mse_loss(made, x, reduction="sum") / len(x)
    divergence = -0.5 * torch.sum(1 + spread - mean.pow(2) - spread.exp()) / len(x)
    return fit + divergence


torch.manual_seed(0)
x = torch.randn(256, 4) @ torch.randn(4, 20)
model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(4):
    for rows in torch.randperm(256).split(32):
        optimizer.zero_grad()
        loss = loss_of(*(lambda made, mean, spread: (made, x[rows], mean, spread))(*model(x[rows])))
        loss.backward()
        optimizer.step()
