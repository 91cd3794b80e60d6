"""Random feature maps in a tuple, frozen: they are not meant to learn."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(8)


class RandomFeatures(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.maps = tuple(nn.Linear(3, 32).requires_grad_(False) for _ in range(2))
        self.out = nn.Linear(64, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(torch.cat([torch.cos(each(x)) for each in self.maps], 1)).squeeze(1)


x = torch.randn(200, 3)
y = x[:, 0].sin()
model = RandomFeatures()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(15):
    rows = torch.randperm(200)[:50]
    optimizer.zero_grad()
    F.mse_loss(model(x[rows]), y[rows]).backward()
    optimizer.step()
