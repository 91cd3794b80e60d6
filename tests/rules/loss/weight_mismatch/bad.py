"""The counts themselves are taken for weights."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 4)
y = (x[:, 0] > 0.3).long() + (x[:, 0] > 1.0).long()
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
counts = torch.bincount(y).float()
criterion = nn.CrossEntropyLoss(weight=counts / counts.sum())
for _ in range(2):
    for rows in torch.randperm(600).split(60):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])  # expect
        loss.backward()
        optimizer.step()
