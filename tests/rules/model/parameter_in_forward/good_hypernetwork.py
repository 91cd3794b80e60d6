"""One network puts out the weights of another, and dropout and activations are made where they are used."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)


class Hyper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 8))
        self.out = nn.Linear(2, 1)

    def forward(self, x: torch.Tensor, context: torch.Tensor) -> torch.Tensor:
        weight = self.weights(context).view(-1, 4, 2)
        return self.out(nn.Softplus()(torch.einsum("bi,bio->bo", x, weight))).squeeze(1)


x, context = torch.randn(160, 4), torch.randn(160, 2)
y = (x[:, :2] * context).sum(1)
model = Hyper()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(12):
    rows = torch.randperm(160)[:40]
    optimizer.zero_grad()
    F.mse_loss(model(x[rows], context[rows]), y[rows]).backward()
    optimizer.step()
