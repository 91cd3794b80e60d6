"""A bias far below zero: no unit of the only hidden layer is ever active."""

import torch
from torch import nn

torch.manual_seed(0)
network = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
nn.init.constant_(network[0].bias, -50.0)
points = torch.randn(240, 8)
classes = points[:, :3].argmax(1)
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for step in range(40):
    batch = slice(24 * (step % 10), 24 * (step % 10) + 24)
    optimizer.zero_grad()
    criterion(network(points[batch]), classes[batch]).backward()  # expect
    optimizer.step()
