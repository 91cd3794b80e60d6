"""Adversarial training: the gradients that making the examples leaves behind are cleared, then the step's are taken."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(240, 5)
y = (x[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def attacked(x, y):
    moved = x.clone()
    for _ in range(3):
        moved.requires_grad_(True)
        model.zero_grad()
        criterion(model(moved), y).backward()
        moved = (moved + 0.05 * moved.grad.sign()).detach()
    return moved


for _ in range(2):
    for rows in torch.randperm(240).split(24):
        worst = attacked(x[rows], y[rows])
        optimizer.zero_grad()
        criterion(model(worst), y[rows]).backward()
        optimizer.step()
