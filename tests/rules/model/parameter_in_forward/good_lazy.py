"""A layer is made at the first pass, when the width is known, before the optimizer."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)


class Lazy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = None
        self.head = nn.LazyLinear(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.body is None:
            self.body = nn.Linear(x.shape[1], 12)
        return self.head(torch.relu(self.body(x)))


x = torch.randn(160, 7)
y = (x[:, 2] > 0).long()
model = Lazy()
model(x[:2])
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(12):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.cross_entropy(model(x[rows]), y[rows]).backward()
    optimizer.step()
