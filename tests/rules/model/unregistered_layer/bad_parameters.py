"""The knots of a spline layer are parameters in a plain list."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)


class Knots(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.scale = nn.Linear(1, 1)
        self.heights = [nn.Parameter(0.1 * torch.randn(1)) for _ in range(count)]  # expect
        self.centres = torch.linspace(-1, 1, count)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bumps = [h * torch.exp(-4 * (x - c) ** 2) for h, c in zip(self.heights, self.centres, strict=True)]
        return self.scale(torch.stack(bumps).sum(0)).squeeze(1)


x = torch.rand(150, 1) * 2 - 1
y = torch.sin(3 * x[:, 0])
model = Knots(6)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(20):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
