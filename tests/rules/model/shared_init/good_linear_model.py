"""Softmax regression that begins at zero: a single layer needs no chance."""

import torch
from torch.nn import functional as F

torch.manual_seed(6)

x = torch.randn(200, 5)
y = x[:, :4].argmax(1)
weight = torch.nn.Parameter(torch.zeros(5, 4))
bias = torch.nn.Parameter(torch.zeros(4))
optimizer = torch.optim.SGD([weight, bias], lr=0.5)
for _ in range(5):
    for rows in torch.randperm(200).split(50):
        optimizer.zero_grad()
        F.cross_entropy(x[rows] @ weight + bias, y[rows]).backward()
        optimizer.step()
