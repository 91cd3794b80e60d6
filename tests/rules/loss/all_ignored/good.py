"""The mask hides unknown labels."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(120, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
known = torch.rand(120) < 0.6
y = torch.where(known, y, -1)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss(ignore_index=-1, reduction="sum")
for _ in range(2):
    for rows in torch.randperm(120).split(20):
        optimizer.zero_grad()
        criterion(model(x[rows]), y[rows]).backward()
        optimizer.step()
