"""Convolutions of several widths lie in a dictionary, made in a helper method."""

import torch
from torch import nn

torch.manual_seed(1)


def unit(kernel: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv1d(4, 8, kernel, padding=kernel // 2), nn.ReLU())  # expect


class Widths(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.branches = {}
        for kernel in (3, 5):
            self.add(kernel)
        self.out = nn.Linear(16, 1)

    def add(self, kernel: int) -> None:
        self.branches[f"k{kernel}"] = unit(kernel)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pooled = [branch(x).mean(-1) for branch in self.branches.values()]
        return self.out(torch.cat(pooled, 1)).squeeze(1)


def main() -> None:
    series = torch.randn(160, 4, 20)
    level = series[:, 0].mean(-1) + 0.1 * torch.randn(160)
    net, loss_of = Widths(), nn.MSELoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(12):
        rows = torch.randperm(160)[:32]
        optimizer.zero_grad()
        loss = loss_of(net(series[rows]), level[rows])
        loss.backward()
        optimizer.step()


main()
