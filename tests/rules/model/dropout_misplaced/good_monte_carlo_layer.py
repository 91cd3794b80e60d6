"""A layer that always drops, for Monte-Carlo passes whose predictions are averaged."""

import torch
import torch.nn.functional as F
from torch import nn


class AlwaysDropping(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, 0.1, training=True)


torch.manual_seed(6)
x = torch.randn(130, 3)
y = x.sum(1, keepdim=True).sin()
model = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), AlwaysDropping(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    for rows in torch.randperm(100).split(25):
        optimizer.zero_grad()
        F.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    draws = torch.stack([model(x[100:]) for _ in range(16)])
F.mse_loss(draws.mean(0), y[100:]).item()
