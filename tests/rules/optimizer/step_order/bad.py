"""Gradients are clipped after the step that used them."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(30):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), 3 * x[:, :1]).backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect
