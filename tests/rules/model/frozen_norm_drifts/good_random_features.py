"""Random features, frozen from the start: their statistics are taken up while a head learns."""

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(160, 6) * 2
y = x[:, :1].cos()
features = nn.Sequential(nn.Linear(6, 48, bias=False), nn.BatchNorm1d(48), nn.ReLU()).requires_grad_(False)
model = nn.Sequential(features, nn.Linear(48, 1))
optimizer = torch.optim.Adam(model[1].parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(160).split(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
