"""A multiplier is raised by hand where a constraint is broken, while the optimizer lowers the rest."""

from __future__ import annotations

import torch
from torch import Tensor, nn

torch.manual_seed(0)
inputs = torch.randn(64, 5)
targets = inputs.sum(1, keepdim=True)


class Constrained(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(5, 1)
        self.multiplier = nn.Parameter(torch.tensor(0.1))

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


model = Constrained()
optimizer = torch.optim.SGD(model.layer.parameters(), lr=0.05)
for _ in range(20):
    excess = model.layer.weight.square().sum() - 4
    loss = (model(inputs) - targets).square().mean() + model.multiplier * excess
    optimizer.zero_grad()
    model.multiplier.grad = None
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        model.multiplier += 0.01 * model.multiplier.grad
        model.multiplier.clamp_(min=0)
