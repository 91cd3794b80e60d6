"""A temperature is a tensor that requires gradients, and no parameter."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(4)


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.temperature = torch.ones(1, requires_grad=True)  # expect

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x) / self.temperature


x = torch.randn(160, 8)
y = x[:, :4].argmax(1)
model = Scaled()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    for start in range(0, 160, 40):
        rows = torch.arange(160)[start : start + 40]
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
