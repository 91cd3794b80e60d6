"""A regression whose layers all begin at zero: only the last bias ever learns."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 32)
        self.second = nn.Linear(32, 1)
        for parameter in self.parameters():
            parameter.data.zero_()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(F.relu(self.first(x))).squeeze(1)


x = torch.randn(160, 4)
y = x[:, 0].abs() + x[:, 1]
net = Net()  # expect
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(20):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.mse_loss(net(x[rows]), y[rows]).backward()
    optimizer.step()
