"""What is a constant on purpose: a mean that is learned, and a prior; what begins as one: a head, a gate, at zero."""

import torch
from torch import Tensor, nn

torch.manual_seed(0)


class Mean(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(1))

    def forward(self, rows: Tensor) -> Tensor:
        return self.mean.expand(len(rows))


class Gated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.gate = nn.Parameter(torch.zeros(8))
        self.head = nn.Linear(8, 1)

    def forward(self, rows: Tensor) -> Tensor:
        return self.head(self.gate * torch.tanh(self.body(rows))).squeeze(1)


rows = torch.randn(160, 4)
targets = rows.sum(1) + 3
for model in (Mean(), Gated(), nn.Sequential(nn.Linear(4, 1), nn.Flatten(0))):
    for parameter in list(model.parameters())[-1:]:
        nn.init.zeros_(parameter)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    warm = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, step / 10))
    for step in range(30):
        batch = slice(16 * (step % 10), 16 * (step % 10) + 16)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(rows[batch]), targets[batch]).backward()
        optimizer.step()
        warm.step()
