"""Predictions and targets are (32,)."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(10):
    x = torch.randn(32, 4)
    y = x.sum(1)
    optimizer.zero_grad()
    loss = F.mse_loss(model(x).squeeze(-1), y)
    loss.backward()
    optimizer.step()
