"""As in Accelerate 2665: the optimizer is made, and then the model is replaced by another one with new parameters."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # expect
model = copy.deepcopy(model)
x = torch.randn(256, 6)
for _ in range(2):
    for rows in torch.randperm(256).split(96):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), x[rows, :1]).backward()
        optimizer.step()
