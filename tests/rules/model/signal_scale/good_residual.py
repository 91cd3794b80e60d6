"""A deep residual net with norms and small weights: its branches are small and what they add to is not."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.inner, self.outer = nn.LayerNorm(width), nn.Linear(width, width), nn.Linear(width, width)
        for layer in (self.inner, self.outer):
            nn.init.normal_(layer.weight, std=0.02)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.outer(F.gelu(self.inner(self.norm(x))))


x = torch.randn(160, 16)
y = (x[:, 0] > 0).long()
model = nn.Sequential(*[Block(16) for _ in range(5)], nn.LayerNorm(16), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(10):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.cross_entropy(model(x[rows]), y[rows]).backward()
    optimizer.step()
