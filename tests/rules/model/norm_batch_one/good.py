"""Batch norm over batches of sixteen rows."""

import torch
from torch import nn

ROWS = 16
torch.manual_seed(1)
x = torch.randn(64, 5)
y = x[:, :1].tanh()
model = nn.Sequential(nn.Linear(5, 16, bias=False), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for rows in torch.randperm(64).split(ROWS):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
    optimizer.step()
