"""The loss on held-out rows is taken in training mode, and with gradients that nobody asks for."""

import torch
from torch import nn

torch.manual_seed(7)
x = torch.randn(180, 5)
y = (x @ torch.randn(5, 1)).tanh()
loaders = {"train": list(zip(x[:120].split(20), y[:120].split(20), strict=True)),
           "held": list(zip(x[120:].split(20), y[120:].split(20), strict=True))}
model = nn.Sequential(nn.Linear(5, 16), nn.Dropout(0.2), nn.GELU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def error_on(batches: list[tuple[torch.Tensor, torch.Tensor]]) -> float:
    total = 0.0
    for inputs, targets in batches:
        total += nn.functional.mse_loss(model(inputs), targets).item()  # expect
    return total / len(batches)


for _ in range(4):
    for inputs, targets in loaders["train"]:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
    error_on(loaders["held"])
