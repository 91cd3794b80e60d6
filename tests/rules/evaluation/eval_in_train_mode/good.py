"""A network with dropout and batch norm is switched to evaluation mode to be validated."""

import torch
from torch import nn

torch.manual_seed(3)
inputs = torch.randn(160, 6)
targets = (inputs[:, :1] * inputs[:, 1:2]).sin()
held_inputs, held_targets = inputs[120:], targets[120:]

network = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)


def validation_loss() -> float:
    network.eval()
    with torch.no_grad():
        return criterion(network(held_inputs), held_targets).item()


for _ in range(4):
    network.train()
    for rows in torch.randperm(120).split(30):
        optimizer.zero_grad()
        criterion(network(inputs[rows]), targets[rows]).backward()
        optimizer.step()
    validation_loss()
