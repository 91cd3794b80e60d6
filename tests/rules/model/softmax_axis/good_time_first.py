"""Sequences laid out (step, example, feature) are attended over axis 0, which is their steps."""

import torch
from torch import nn


class Pooled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.score, self.out = nn.Linear(4, 1), nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:  # x is (step, example, feature)
        weights = torch.softmax(self.score(x), dim=0)
        return self.out((weights * x).sum(0))


torch.manual_seed(3)
x = torch.randn(24, 96, 4)
y = (x[:, :, 0].amax(0) > 1.5).long()
model = Pooled()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    for columns in torch.randperm(96).split(24):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[:, columns]), y[columns]).backward()
        optimizer.step()
