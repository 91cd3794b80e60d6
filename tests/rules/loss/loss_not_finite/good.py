"""The logarithm of a rate that is kept above zero."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.ReLU())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(10):
    x = torch.randn(16, 4)
    rate = model(x).squeeze(1)
    loss = -torch.log(rate + 1e-3).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
