"""Five outputs with a log-softmax, three kinds."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)
x = torch.randn(240, 4)
kind = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
net = nn.Sequential(
    nn.Linear(4, 16),
    nn.Tanh(),
    nn.Linear(16, 5),  # expect
    nn.LogSoftmax(dim=1),
)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
for epoch in range(5):
    for rows in torch.randperm(240).split(24):
        opt.zero_grad()
        F.nll_loss(net(x[rows]), kind[rows]).backward()
        opt.step()
