"""Weights over the steps of a sequence are normalised over the examples instead."""

import torch
from torch import nn


class Pooled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.score, self.out = nn.Linear(4, 1), nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:  # x is (example, step, feature)
        weights = torch.softmax(self.score(x), dim=0)  # expect
        return self.out((weights * x).sum(1))


torch.manual_seed(1)
x = torch.randn(96, 9, 4)
y = (x[:, :, 0].amax(1) > 1.2).long()
model = Pooled()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    for rows in torch.randperm(96).split(24):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
