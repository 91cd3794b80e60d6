"""Four blocks of a stack are one block."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.relu(self.inner(x))


class Deep(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Linear(6, 16)
        self.blocks = nn.ModuleList([Block(16)] * 4)  # expect
        self.head = nn.Linear(16, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


x = torch.randn(200, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
model = Deep()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(3):
    for rows in torch.randperm(200).split(40):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
