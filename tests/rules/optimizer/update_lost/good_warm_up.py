"""A rate that begins at zero, and gradients that are zero now and then."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
warm_up = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, step / 20))
for step in range(30):
    x = torch.randn(16, 4) * (step % 4 != 2)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x) - model.bias, x[:, :1]).backward()
    optimizer.step()
    warm_up.step()
