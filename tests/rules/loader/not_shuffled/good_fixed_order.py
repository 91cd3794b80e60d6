"""The rows were shuffled once, before the loop: a fixed order that mixes the classes does no harm."""

import torch
from torch import nn

torch.manual_seed(3)
labels = torch.arange(4).repeat_interleave(50)
points = torch.randn(200, 5) + labels[:, None]
order = torch.randperm(200)
points, labels = points[order], labels[order]
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(4):
    for start in range(0, 200, 20):
        loss = nn.functional.cross_entropy(model(points[start:start + 20]), labels[start:start + 20])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
