"""One head serves three levels of a pyramid: a list holds it three times, and each level has its own input."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(4)


class Pyramid(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.ModuleList(nn.Conv1d(width, 8, 3, stride=2, padding=1) for width in (2, 8, 8))
        head = nn.Linear(8, 2)
        self.heads = nn.ModuleList([head for _ in self.stages])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = []
        for stage, head in zip(self.stages, self.heads, strict=True):
            x = torch.relu(stage(x))
            scores.append(head(x.mean(-1)))
        return torch.stack(scores).mean(0)


x = torch.randn(160, 2, 16)
y = (x[:, 0].mean(1) > 0).long()
model = Pyramid()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(12):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.cross_entropy(model(x[rows]), y[rows]).backward()
    optimizer.step()
