"""Class 0 is background, which the loss is told to ignore; the rest of the labels run from 1."""

import torch
from torch import nn

torch.manual_seed(5)
x = torch.randn(300, 6)
y = torch.where(x[:, 5] > -0.4, 0, 1 + (x[:, 0] > 0).long() + (x[:, 1] > 0).long())
net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 4))
criterion = nn.CrossEntropyLoss(ignore_index=0)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for rows in torch.randperm(300).split(30):
    optimizer.zero_grad()
    criterion(net(x[rows]), y[rows]).backward()
    optimizer.step()
