"""A decay that goes on below zero, set by hand."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)  # expect
for step in range(60):
    for group in optimizer.param_groups:
        group["lr"] = 0.05 * (1 - step / 20)
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()
