"""Two optimizers, and both calls clear the first one's gradients."""

import torch
from torch import nn

torch.manual_seed(0)
left, right = nn.Linear(8, 8), nn.Linear(8, 1)
first = torch.optim.Adam(left.parameters(), lr=1e-3)
second = torch.optim.Adam(right.parameters(), lr=1e-3)
for _ in range(12):
    x = torch.randn(32, 8)
    first.zero_grad()
    first.zero_grad()
    loss = nn.functional.mse_loss(right(torch.relu(left(x))), x[:, :1])
    loss.backward()  # expect
    first.step()
    second.step()
