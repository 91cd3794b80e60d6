"""All weights of a classifier begin at random."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


def begin(layer: nn.Module) -> None:
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)
        nn.init.normal_(layer.weight, 0.0, 0.05)


x = torch.randn(200, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 2))
model.apply(begin)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    for rows in torch.randperm(200).split(40):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
