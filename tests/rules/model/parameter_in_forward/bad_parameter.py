"""The weights of a gate are made as a parameter within forward."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(5)


class Gated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(4, 10), nn.Linear(10, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.first(x))
        gate = nn.Parameter(torch.randn(10, 10) / 3)  # expect
        return self.last(h * torch.sigmoid(h @ gate)).squeeze(1)


x = torch.randn(150, 4)
y = x[:, 0] - x[:, 1]
model = Gated()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    for rows in torch.randperm(150).split(30):
        optimizer.zero_grad()
        F.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
