"""In the last phase of training the whole network is put in evaluation mode on purpose, to hold its statistics."""

import torch
from torch import nn

torch.manual_seed(8)
x = torch.randn(150, 5)
y = x[:, :1].sin()
model = nn.Sequential(nn.Linear(5, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)


def epoch() -> None:
    for rows in torch.randperm(120).split(30):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()


def error() -> float:
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x[120:]), y[120:]).item()


for _ in range(3):
    model.train()
    epoch()
    error()
for group in optimizer.param_groups:
    group["lr"] = 1e-3
for _ in range(2):
    model.eval()
    epoch()
    error()
