"""Functional dropout that doesn't follow the model's mode."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden, self.out = nn.Linear(6, 24), nn.Linear(24, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.dropout(torch.tanh(self.hidden(x)), p=0.2)  # expect
        return self.out(hidden)


torch.manual_seed(1)
x = torch.randn(140, 6)
y = x[:, :1] * 0.5 + x[:, 1:2].cos()
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for _ in range(3):
    net.train()
    for rows in torch.randperm(100).split(25):
        optimizer.zero_grad()
        F.mse_loss(net(x[rows]), y[rows]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        F.mse_loss(net(x[100:]), y[100:]).item()
