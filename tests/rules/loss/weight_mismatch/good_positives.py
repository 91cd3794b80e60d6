"""Rare positives weigh as much as all negatives."""

import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(600, 4)
y = (x[:, :1] + x[:, 1:2] > 1.8).float()
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
rare = y.sum()
criterion = nn.BCEWithLogitsLoss(pos_weight=(600 - rare) / rare)
for _ in range(2):
    for rows in torch.randperm(600).split(60):
        optimizer.zero_grad()
        criterion(model(x[rows]), y[rows]).backward()
        optimizer.step()
