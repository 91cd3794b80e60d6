"""The root of the mean squared error by hand, (24, 1) against (24,)."""

import torch
from torch import nn


def regressor():
    return nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))


torch.manual_seed(0)
model = regressor()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(8):
    x = torch.randn(24, 4)
    y = x[:, 0] * x[:, 1]
    loss = torch.sqrt(((model(x) - y) ** 2).mean() + 1e-8)  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
