"""The members of an ensemble are copies of one, and are trained on the same batches."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)


class Members(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        one = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))
        self.members = nn.ModuleList([copy.deepcopy(one) for _ in range(size)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.stack([member(x) for member in self.members]).mean(0)


x = torch.randn(180, 5)
y = x[:, :3].argmax(1)
model = Members(2)  # expect
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    for rows in torch.randperm(180).split(45):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
