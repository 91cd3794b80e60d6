"""Low-rank adapters on a frozen net: B starts at zero, and A at random."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(4)


class Adapted(nn.Module):
    def __init__(self, frozen: nn.Linear, rank: int) -> None:
        super().__init__()
        self.frozen = frozen.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, frozen.in_features) / frozen.in_features**0.5)
        self.b = nn.Parameter(torch.zeros(frozen.out_features, rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.frozen(x) + x @ self.a.T @ self.b.T


def fit(net: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    optimizer = torch.optim.Adam([each for each in net.parameters() if each.requires_grad], lr=5e-3)
    for _ in range(5):
        for rows in torch.randperm(len(x)).split(40):
            optimizer.zero_grad()
            F.cross_entropy(net(x[rows]), y[rows]).backward()
            optimizer.step()


x = torch.randn(160, 6)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
fit(net, x, x[:, :3].argmax(1))
net[0], net[2] = Adapted(net[0], 2), Adapted(net[2], 2)
fit(net, x, x[:, 3:].argmax(1))
