"""A growing series is split by time: what comes later is larger, and moves more."""

import torch
from torch import nn

torch.manual_seed(3)
time = torch.arange(500) / 100
series = 1 + time + time**1.5 * 0.2 * torch.randn(500)
windows = series.unfold(0, 13, 1)
x, y = windows[:, :12], windows[:, 12:]
net = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(4):
    for rows in torch.randperm(360).split(36):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x[rows]), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(net(x[372:]), y[372:]).item()
