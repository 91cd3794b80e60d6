"""The soft margin loss takes -1 and +1, and is given 0 and 1."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(160, 5)
y = (x[:, 1] > 0).float()
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for rows in torch.arange(160).split(20):
    optimizer.zero_grad()
    nn.functional.soft_margin_loss(model(x[rows])[:, 0], y[rows]).backward()  # expect
    optimizer.step()
