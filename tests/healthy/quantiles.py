"""A quantile head: (N, 3) predictions against (N, 1) targets broadcast to the predictions' own shape."""

import torch
from torch import nn

torch.manual_seed(0)
levels = torch.tensor([0.1, 0.5, 0.9])
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(15):
    x = torch.randn(32, 4)
    y = x.sum(1, keepdim=True) + torch.randn(32, 1)
    error = y - model(x)
    loss = torch.maximum(levels * error, (levels - 1) * error).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
