"""A convolution without a bias before batch norm."""

import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(64, 1, 12)
y = x[:, 0, :3].argmax(1)
model = nn.Sequential(
    nn.Conv1d(1, 8, 3, bias=False), nn.BatchNorm1d(8), nn.ReLU(), nn.Flatten(), nn.Linear(80, 3),
)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(2):
    for rows in torch.randperm(64).split(16):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
