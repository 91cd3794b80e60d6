"""Prototype units with low biases fire for a few rows of a batch each."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)

x = torch.randn(400, 2)
y = (x.norm(dim=1) > 1.2).long()
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(inplace=True), nn.Linear(16, 2))
with torch.no_grad():
    model[0].bias -= 0.7
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(400).split(100):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
