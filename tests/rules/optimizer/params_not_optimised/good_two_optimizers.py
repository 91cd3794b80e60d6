"""An encoder and a head that are two modules, each with an optimizer of its own; a frozen stem goes before."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(14)

x = torch.randn(200, 8)
y = (x[:, 0] > 0).long()
stem = nn.Linear(8, 16).requires_grad_(False)
encoder, head = nn.Sequential(nn.Linear(16, 24), nn.ReLU()), nn.Linear(24, 2)
slow, fast = torch.optim.SGD(encoder.parameters(), lr=0.02), torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(3):
    for rows in torch.randperm(200).split(40):
        loss = F.cross_entropy(head(encoder(stem(x[rows]))), y[rows])
        slow.zero_grad()
        fast.zero_grad()
        loss.backward()
        slow.step()
        fast.step()
