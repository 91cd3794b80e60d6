"""In a perceptron for every position, dropout stands where the activation should."""

import torch
from torch import nn

torch.manual_seed(0)
feed = nn.Sequential(nn.Linear(6, 24), nn.Dropout(0.1), nn.Linear(24, 6))  # expect
optimizer = torch.optim.SGD(feed.parameters(), lr=0.05)
criterion = nn.SmoothL1Loss()
for _ in range(10):
    x = torch.randn(8, 5, 6)
    optimizer.zero_grad()
    criterion(feed(x), x.cumsum(1)).backward()
    optimizer.step()
