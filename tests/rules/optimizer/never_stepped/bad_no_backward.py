"""The backward pass is missing."""

import torch
from torch import nn


def train_step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.step()  # expect
    return loss.item()


torch.manual_seed(0)
net = nn.Linear(6, 1)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(20):
    inputs = torch.randn(32, 6)
    train_step(net, sgd, inputs, inputs[:, :1])
