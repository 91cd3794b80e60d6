"""A shared encoder that two optimizers train in turns, each with a backward pass of its own."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, left, right = nn.Linear(6, 16), nn.Linear(16, 1), nn.Linear(16, 1)
first = torch.optim.SGD([*encoder.parameters(), *left.parameters()], lr=0.01)
second = torch.optim.SGD([*encoder.parameters(), *right.parameters()], lr=0.01)
for _ in range(20):
    x = torch.randn(32, 6)
    for optimizer, head, column in ((first, left, 0), (second, right, 1)):
        optimizer.zero_grad()
        nn.functional.mse_loss(head(torch.tanh(encoder(x))), x[:, column:column + 1]).backward()
        optimizer.step()
