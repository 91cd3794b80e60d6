"""torch.autograd.grad in the place of backward, and gradients assigned by hand."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(15):
    x = torch.randn(32, 4)
    loss = nn.functional.mse_loss(model(x), x[:, :1] * x[:, 1:2])
    parameters = list(model.parameters())
    for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
        parameter.grad = gradient.clamp(-1, 1)
    optimizer.step()
