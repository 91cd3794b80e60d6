"""An activation stands between the bias and batch norm, so that it counts."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(64, 6)
y = x[:, :3].argmax(1)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.BatchNorm1d(16), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(2):
    for rows in torch.randperm(64).split(16):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
