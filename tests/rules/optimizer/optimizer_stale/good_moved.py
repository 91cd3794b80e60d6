"""Moved, cast and put into evaluation and back after the optimizer was made: the parameters stay the same ones."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
model = model.to("cpu").double().float()
kept = copy.deepcopy(model)
for _ in range(20):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()
    with torch.no_grad():
        for held, parameter in zip(kept.parameters(), model.parameters(), strict=True):
            held.lerp_(parameter, 0.1)
