"""A limit near the upper end of the norms."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(70):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), 3 * x[:, :1]).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 8.0)
    optimizer.step()
