"""Plain descent whose rate was copied from Adam and divided for safety."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(300, 8)
y = x[:, :1] * x[:, 1:2]
net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
sgd = torch.optim.SGD(net.parameters(), lr=1e-5)  # expect
for _ in range(8):
    for rows in torch.randperm(300).split(20):
        sgd.zero_grad()
        ((net(x[rows]) - y[rows]) ** 2).mean().backward()
        sgd.step()
