"""A binary cross entropy by hand: chances of (24, 1), labels of (24,)."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(8):
    x = torch.randn(24, 4)
    y = (x[:, 0] > 0).float()
    p = model(x)
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
