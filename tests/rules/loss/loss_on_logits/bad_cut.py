"""Scores are cut to [0, 1] so that binary_cross_entropy takes them."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(6):
    x = torch.randn(40, 5)
    y = (x[:, 0] > 0).float()
    chance = torch.clamp(net(x).squeeze(1), 0, 1)
    loss = F.binary_cross_entropy(chance, y)  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
