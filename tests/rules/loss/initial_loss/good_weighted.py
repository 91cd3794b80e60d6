"""Weighted, summed and smoothed losses have no simple expectation."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
weight = torch.tensor([20.0, 1.0, 1.0])
for _ in range(6):
    x, y = torch.randn(32, 4), torch.randint(0, 3, (32,))
    scores = 5 * model(x)
    loss = F.cross_entropy(scores, y, weight=weight) + F.cross_entropy(scores, y, reduction="sum")
    loss = loss + F.cross_entropy(scores, y, label_smoothing=0.3)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
