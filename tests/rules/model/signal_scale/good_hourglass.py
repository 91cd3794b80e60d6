"""A deep autoencoder through a narrow middle, with the initial weights of PyTorch."""

from itertools import pairwise

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)

widths = [16, 12, 8, 4, 8, 12, 16]
layers: list[nn.Module] = []
for before, after in pairwise(widths):
    layers += [nn.Linear(before, after), nn.ELU()]
model = nn.Sequential(*layers[:-1])
x = torch.randn(160, 4) @ torch.randn(4, 16)
x = (x - x.mean(0)) / x.std(0)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(10):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.mse_loss(model(x[rows]), x[rows]).backward()
    optimizer.step()
