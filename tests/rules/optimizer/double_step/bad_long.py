"""A function that fits a batch takes the step, and the loop that calls it takes another, for hundreds of batches."""

import torch
from torch import nn


def fit(model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor, y: torch.Tensor) -> float:
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


torch.manual_seed(9)
x = torch.randn(640, 3)
y = torch.sin(x.sum(1, keepdim=True)) + 0.1 * torch.randn(640, 1)
model = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
for _ in range(20):
    for rows in torch.randperm(640).split(32):
        fit(model, optimizer, x[rows], y[rows])
        optimizer.step()  # expect
