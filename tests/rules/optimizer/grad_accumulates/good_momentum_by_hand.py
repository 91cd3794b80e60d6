"""Momentum made of the gradients themselves: scaled before each backward pass, past the version counter."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for _ in range(40):
    x = torch.randn(32, 6)
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.data.mul_(0.9)
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()
