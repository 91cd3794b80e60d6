"""Adversarial training: the perturbation is a tensor of the model's that the program moves by itself."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(11)


class Robust(nn.Module):
    def __init__(self, rows: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
        self.delta = torch.zeros(rows, 6, requires_grad=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x + self.delta)


x = torch.randn(120, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
model = Robust(40)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    for rows in torch.randperm(120).split(40):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
        model.delta.data = (model.delta + 0.05 * model.delta.grad.sign()).clamp(-0.1, 0.1).data
        model.delta.grad.zero_()
