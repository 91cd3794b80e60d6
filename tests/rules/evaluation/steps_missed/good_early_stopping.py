"""A cycle that ends when the held-out error no longer falls."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(240, 4)
y = x[:, :1] + 0.5 * torch.randn(240, 1)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=60 * 10)
best, waited = float("inf"), 0
for epoch in range(60):
    for rows in torch.randperm(200).split(20):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x[rows]), y[rows]).backward()
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(net(x[200:]), y[200:]).item()
    best, waited = (error, 0) if error < best - 0.01 else (best, waited + 1)
    if waited == 3:
        break
with torch.no_grad():
    print(nn.functional.mse_loss(net(x[200:]), y[200:]).item())
