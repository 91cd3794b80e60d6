"""Losses are added up with their graphs."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
total = 0.0
for _ in range(40):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss  # expect
mean = float(total) / 40
