"""A Poisson likelihood, which silently lets (16, 1) against (16,) pass."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
criterion = nn.PoissonNLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(10):
    x = torch.randn(16, 4)
    counts = torch.poisson(torch.exp(0.3 * x[:, 0]))
    optimizer.zero_grad()
    loss = criterion(model(x), counts)  # expect
    loss.backward()
    optimizer.step()
