"""Layers lie in a list, and the program hands their parameters to the optimizer by itself."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(7)


class Columns(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(4, 12)
        self.experts = [nn.Linear(12, 12) for _ in range(3)]
        self.out = nn.Linear(12, 1)

    def everything(self):
        yield from self.parameters()
        for expert in self.experts:
            yield from expert.parameters()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.embed(x))
        return self.out(torch.stack([torch.relu(expert(h)) for expert in self.experts]).mean(0)).squeeze(1)


x = torch.randn(160, 4)
y = x[:, 0] * x[:, 1]
model = Columns()
optimizer = torch.optim.Adam(model.everything(), lr=3e-3)
for _ in range(15):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.mse_loss(model(x[rows]), y[rows]).backward()
    optimizer.step()
