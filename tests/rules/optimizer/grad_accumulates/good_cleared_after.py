"""Cleared after the step, also where a step is skipped and its gradients dropped."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for step in range(20):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    nn.functional.cross_entropy(model(x), y).backward()
    if step % 6 != 5:
        optimizer.step()
    optimizer.zero_grad()
