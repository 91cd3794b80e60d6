"""A projection lives in a closure alone."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)


def projection(size: int):
    inner = nn.Linear(size, size)  # expect
    return lambda x: torch.tanh(inner(x))


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(5, 16)
        self.project = projection(16)
        self.last = nn.Linear(16, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.project(torch.tanh(self.first(x))))


x = torch.randn(200, 5)
y = (x.sum(1) > 0).long()
encoder = Encoder()
optimizer = torch.optim.AdamW(encoder.parameters(), lr=3e-3)
for _ in range(15):
    rows = torch.randperm(200)[:50]
    loss = F.cross_entropy(encoder(x[rows]), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
