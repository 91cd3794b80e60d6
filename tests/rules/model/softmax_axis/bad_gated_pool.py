"""A pool whose weights come from an nn.Softmax of the last axis, which has size one."""

import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weigh = nn.Sequential(nn.Linear(width, 8), nn.Tanh(), nn.Linear(8, 1), nn.Softmax(-1))

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        return (points * self.weigh(points)).sum(dim=1)  # expect


class Clouds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lift, self.pool, self.out = nn.Linear(3, 10), Pool(10), nn.Linear(10, 1)

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        return self.out(self.pool(torch.relu(self.lift(points)))).squeeze(-1)


torch.manual_seed(2)
points = torch.randn(120, 11, 3)
far = points.norm(dim=-1).amax(1)
model = Clouds()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(120).split(24):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(points[rows]), far[rows]).backward()
        optimizer.step()
