"""Convolutions and a head are filled with the same numbers; their biases keep their own."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(7)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(3, 8, 3)
        self.mix = nn.Linear(8, 12)
        self.out = nn.Linear(12, 2)
        for layer in (self.conv, self.mix, self.out):
            layer.weight.data.fill_(0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(F.relu(self.mix(F.relu(self.conv(x)).mean(-1))))


x = torch.randn(160, 3, 10)
y = (x[:, 0].mean(-1) > 0).long()
net = Net()  # expect
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(10):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.cross_entropy(net(x[rows]), y[rows]).backward()
    optimizer.step()
