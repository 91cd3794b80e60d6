"""L-BFGS asks its closure, which clears each time, several times a step."""

import torch
from torch import nn

torch.manual_seed(4)
x = torch.randn(60, 3)
y = x @ torch.randn(3, 1) + 0.3
model = nn.Linear(3, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=6)


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss


for _ in range(8):
    optimizer.step(closure)
