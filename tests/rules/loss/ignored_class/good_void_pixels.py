"""Pixels of class 0 are void, as frequent as the others; loss and score both leave them out."""

import torch
from torch import nn


def pictures(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.randn(n, 2, 8, 8)
    kinds = 1 + (x[:, 0] > 0).long()
    return x, torch.where(torch.rand(n, 8, 8) < 0.33, 0, kinds)


torch.manual_seed(5)
x, kinds = pictures(160)
held, held_kinds = pictures(60)
model = nn.Sequential(nn.Conv2d(2, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 1))
criterion = nn.CrossEntropyLoss(ignore_index=0)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    model.train()
    for rows in torch.randperm(160).split(32):
        optimizer.zero_grad()
        criterion(model(x[rows]), kinds[rows]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        known = held_kinds != 0
        print((model(held).argmax(1)[known] == held_kinds[known]).float().mean().item())
