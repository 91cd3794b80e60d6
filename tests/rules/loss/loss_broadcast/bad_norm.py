"""The norm of the errors over their number, (24,) against (24, 1)."""

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
    loss = torch.linalg.norm(y.unsqueeze(1) - model(x)[:, 0]) / 24  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
