"""Monte-Carlo dropout: many passes in training mode are averaged, and the average is scored."""

import torch
from torch import nn

torch.manual_seed(11)
x = torch.randn(160, 4)
y = x[:, :1].cos()
model = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Dropout(0.1), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(5):
    for rows in torch.randperm(120).split(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
with torch.no_grad():
    draws = torch.stack([model(x[120:]) for _ in range(20)])
nn.functional.mse_loss(draws.mean(0), y[120:]).item()
