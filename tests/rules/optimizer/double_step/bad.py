"""The optimizer is stepped by the training function and again by its caller."""

import torch
from torch import nn


def train_step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


torch.manual_seed(0)
net = nn.Linear(6, 1)
adam = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(20):
    inputs = torch.randn(32, 6)
    train_step(net, adam, inputs, inputs[:, :1])
    adam.step()  # expect
