"""Differential privacy by hand: each example's gradient is clipped and set aside, their noisy mean is stepped with."""

import torch
from torch import nn

torch.manual_seed(3)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
parameters = list(model.parameters())
for _ in range(12):
    x = torch.randn(8, 5)
    y = (x[:, 0] > 0).long()
    sums = [torch.zeros_like(each) for each in parameters]
    for i in range(8):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[i : i + 1]), y[i : i + 1]).backward()
        length = torch.stack([each.grad.norm() for each in parameters]).norm()
        for total, each in zip(sums, parameters, strict=True):
            total += each.grad * (1 / length).clamp(max=1)
    for total, each in zip(sums, parameters, strict=True):
        each.grad = (total + 0.1 * torch.randn_like(total)) / 8
    optimizer.step()
