"""Eight layers whose weights are drawn on the right scale."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


def deep(width: int) -> nn.Sequential:
    net = nn.Sequential()
    for _ in range(8):
        layer = nn.Linear(width, width)
        nn.init.normal_(layer.weight, 0.0, 1.0 / width**0.5)
        nn.init.zeros_(layer.bias)
        net.extend([layer, nn.Tanh()])
    net.append(nn.Linear(width, 2))
    return net


x = torch.randn(160, 16)
y = (x[:, 0] > 0).long()
model = deep(16)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(10):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    scores = model(x[rows])
    F.cross_entropy(scores, y[rows]).backward()
    optimizer.step()
