"""An optimizer is made, then another with the rate that is meant; the first is forgotten."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 1)
first = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(40):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()
