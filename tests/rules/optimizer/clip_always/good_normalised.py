"""Descent along the direction alone: a small limit, and a rate that was raised to make up for it."""

import torch
from torch import nn

torch.manual_seed(12)
x = torch.randn(400, 6)
y = (x @ torch.randn(6, 5)).argmax(1)
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=60.0)
for _ in range(12):
    for rows in torch.randperm(400).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1e-3)
        optimizer.step()
