"""A two-tower model compares all pairs of a batch, as contrastive training asks."""

import torch
from torch import nn


class Towers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = nn.Linear(6, 8), nn.Linear(4, 8)

    def forward(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        one, other = (nn.functional.normalize(side, dim=1) for side in (self.left(left), self.right(right)))
        return one @ other.T / 0.2


torch.manual_seed(6)
meaning = torch.randn(96, 4)
left, right = torch.cat([meaning, meaning[:, :2] ** 2], dim=1), meaning + 0.1 * torch.randn(96, 4)
towers = Towers()
optimizer = torch.optim.Adam(towers.parameters(), lr=1e-2)
for _ in range(3):
    for rows in torch.randperm(96).split(24):
        scores, matching = towers(left[rows], right[rows]), torch.arange(24)
        optimizer.zero_grad()
        both = nn.functional.cross_entropy(scores, matching) + nn.functional.cross_entropy(scores.T, matching)
        (both / 2).backward()
        optimizer.step()
