"""Micro-batches of unequal size, each weighed by its share of the batch."""

import torch
from torch import nn

torch.manual_seed(6)
x = torch.randn(200, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    for rows in torch.randperm(200).split(50):
        optimizer.zero_grad()
        for part in rows.split(16):
            loss = nn.functional.cross_entropy(model(x[part]), y[part])
            (loss * len(part) / len(rows)).backward()
        optimizer.step()
