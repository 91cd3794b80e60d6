"""A layer that has an output for each class at each step: whichever way they are laid out, it learns them so."""

import torch
from torch import nn


class Whole(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lift, self.out = nn.Linear(6, 24), nn.Linear(24, 6 * 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(torch.relu(self.lift(x))).view(-1, 6, 3).view(-1, 3, 6)


torch.manual_seed(3)
x = torch.randn(160, 6)
y = (x > -0.4).long() + (x > 0.4).long()
model = Whole()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(160).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
