"""One cell is unrolled over time, and called for both of two branches."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)


class Twin(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.Linear(3 + 8, 8)
        self.compare = nn.Linear(8, 1)

    def read(self, series: torch.Tensor) -> torch.Tensor:
        state = series.new_zeros(len(series), 8)
        for at in range(series.shape[1]):
            state = torch.tanh(self.cell(torch.cat([series[:, at], state], 1)))
        return state

    def forward(self, one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        return self.compare((self.read(one) - self.read(other)).abs()).squeeze(1)


one, other = torch.randn(120, 5, 3), torch.randn(120, 5, 3)
apart = ((one - other).abs().mean((1, 2)) > 1.1).float()
model = Twin()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(12):
    rows = torch.randperm(120)[:40]
    optimizer.zero_grad()
    F.binary_cross_entropy_with_logits(model(one[rows], other[rows]), apart[rows]).backward()
    optimizer.step()
