"""A rate a thousand times too large."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3.0)  # expect
for _ in range(70):
    x = torch.randn(64, 8)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), x[:, :4].argmax(1)).backward()
    optimizer.step()
