"""Of several models, each made and trained by itself, the best is kept as it is."""

import torch
from torch import nn


def trained(width, x, y):
    model = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(15):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return model


torch.manual_seed(8)
x = torch.randn(80, 3)
y = torch.sin(x[:, :1]) + 0.1 * torch.randn(80, 1)
best_model, best_loss = None, float("inf")
for width in (4, 8, 16):
    model = trained(width, x[:40], y[:40])
    with torch.no_grad():
        loss = nn.functional.mse_loss(model(x[40:]), y[40:]).item()
    if loss < best_loss:
        best_loss = loss
        best_model = model
with torch.no_grad():
    best_model(x[40:])
