"""Two optimizers hold the encoder, and both step after one backward pass."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, left, right = nn.Linear(6, 16), nn.Linear(16, 1), nn.Linear(16, 1)
first = torch.optim.SGD([*encoder.parameters(), *left.parameters()], lr=0.01)
second = torch.optim.SGD([*encoder.parameters(), *right.parameters()], lr=0.01)  # expect
for _ in range(20):
    x = torch.randn(32, 6)
    first.zero_grad()
    second.zero_grad()
    hidden = torch.tanh(encoder(x))
    loss = nn.functional.mse_loss(left(hidden), x[:, :1]) + nn.functional.mse_loss(right(hidden), x[:, 1:2])
    loss.backward()
    first.step()
    second.step()
