"""Multi-label targets are counts, not zeros and ones."""

import torch
from torch import nn

torch.manual_seed(1)
inputs = torch.randn(128, 6)
counts = torch.poisson(torch.exp(0.8 * inputs[:, :3]))
net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(10):
    for rows in torch.randperm(128).split(64):
        loss = criterion(net(inputs[rows]), counts[rows])  # expect
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
