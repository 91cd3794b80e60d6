"""Classes come two by two: later tasks name the outputs that earlier ones leave alone."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(360, 8)
y = x[:, :6].argmax(1)
net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for task in range(3):
    mine = ((y // 2) == task).nonzero().flatten()
    for _ in range(4):
        for rows in mine[torch.randperm(len(mine))].split(20):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
            opt.step()
