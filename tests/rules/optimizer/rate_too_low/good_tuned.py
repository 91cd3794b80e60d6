"""Loaded weights are tuned at a small rate."""

import torch
from torch import nn

torch.manual_seed(0)
source = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
first = torch.optim.Adam(source.parameters(), lr=1e-2)
for _ in range(60):
    x = torch.randn(64, 8)
    first.zero_grad()
    nn.functional.cross_entropy(source(x), x[:, :4].argmax(1)).backward()
    first.step()
model.load_state_dict(source.state_dict())
del source, first
optimizer = torch.optim.Adam(model.parameters(), lr=1e-6)
for _ in range(120):
    x = torch.randn(64, 8)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), x[:, :4].argmax(1)).backward()
    optimizer.step()
