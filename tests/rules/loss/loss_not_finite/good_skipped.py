"""Losses that aren't finite are skipped before the backward pass."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(20):
    x = torch.randn(16, 4)
    if step % 7 == 3:
        x[0] = float("inf")
    loss = nn.functional.mse_loss(model(x), x[:, :1])
    if not torch.isfinite(loss):
        continue
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
