"""A logistic function written out before binary_cross_entropy_with_logits."""

import torch
from torch import nn

torch.manual_seed(2)
net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()


def chance(x):
    return 1 / (1 + torch.exp(-net(x)))


for _ in range(8):
    x = torch.randn(40, 5)
    y = (x[:, :1] + x[:, 1:2] > 0).float()
    optimizer.zero_grad()
    loss = criterion(chance(x), y)  # expect
    loss.backward()
    optimizer.step()
