"""Micro-batches of eight, four a step; their summed gradients are divided before the step."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long()
model = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
criterion = nn.CrossEntropyLoss()
for _ in range(2):
    optimizer.zero_grad()
    for i, rows in enumerate(torch.randperm(256).split(8), 1):
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        if i % 4 == 0:
            for parameter in model.parameters():
                parameter.grad /= 4
            optimizer.step()
            optimizer.zero_grad()
