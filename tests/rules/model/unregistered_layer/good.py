"""The middle of a classifier is registered."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Stack(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.stem = nn.Linear(6, 24)
        self.blocks = nn.ModuleList([nn.Linear(24, 24) for _ in range(depth)])
        self.head = nn.Linear(24, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.stem(x))
        for block in self.blocks:
            x = F.relu(block(x))
        return self.head(x)


features = torch.randn(240, 6)
labels = (features[:, 0] > 0).long() + (features[:, 1] > 0).long()
model = Stack(2)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(3):
    for rows in torch.randperm(240).split(40):
        optimizer.zero_grad()
        F.cross_entropy(model(features[rows]), labels[rows]).backward()
        optimizer.step()
