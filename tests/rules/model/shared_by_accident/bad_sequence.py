"""A builder multiplies the hidden layer of a plain sequence."""

import torch
from torch import nn

torch.manual_seed(2)


def build(width: int, depth: int) -> nn.Sequential:
    hidden = [nn.Sequential(nn.Linear(width, width), nn.GELU())] * depth
    return nn.Sequential(nn.Linear(3, width), nn.GELU(), *hidden, nn.Linear(width, 1))  # expect


def main() -> None:
    x = torch.rand(150, 3)
    y = (x**2).sum(1, keepdim=True)
    net, loss_of = build(20, 3), nn.SmoothL1Loss()
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for _ in range(12):
        rows = torch.randperm(150)[:50]
        optimizer.zero_grad()
        loss_of(net(x[rows]), y[rows]).backward()
        optimizer.step()


main()
