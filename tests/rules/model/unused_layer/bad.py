"""A skip connection is made and never called."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(5, 16)
        self.skip = nn.Linear(5, 2)
        self.last = nn.Linear(16, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(torch.relu(self.first(x)))


x = torch.randn(160, 5)
y = (x[:, 0] > 0).long()
model = Net()  # expect
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(10):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.cross_entropy(model(x[rows]), y[rows]).backward()
    optimizer.step()
