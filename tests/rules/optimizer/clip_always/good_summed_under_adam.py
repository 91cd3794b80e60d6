"""A summed loss whose gradients are clipped at each step; Adam divides the scale away."""

import torch
from torch import nn

torch.manual_seed(12)
x = torch.randn(400, 6)
y = torch.sin(x.sum(1, keepdim=True))
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
criterion = nn.MSELoss(reduction="sum")
for _ in range(10):
    for rows in torch.randperm(400).split(40):
        optimizer.zero_grad()
        criterion(model(x[rows]), y[rows]).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
