"""The dropout modules alone are put in training mode for sampling, the rest stays in evaluation mode."""

import torch
from torch import nn

torch.manual_seed(7)
x = torch.randn(130, 3)
y = x[:, :1] * x[:, 1:2]
model = nn.Sequential(nn.Linear(3, 24), nn.BatchNorm1d(24), nn.SiLU(), nn.Dropout(0.15), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    model.train()
    for rows in torch.randperm(100).split(25):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
model.eval()
for part in model.modules():
    if isinstance(part, nn.Dropout):
        part.train()
with torch.no_grad():
    first, second = model(x[100:]), model(x[100:])
nn.functional.mse_loss((first + second) / 2, y[100:]).item()
