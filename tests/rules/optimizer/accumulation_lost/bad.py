"""Four micro-batches a step: gradients are cleared before each of them."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, :2].sum(1) > 0).long()
model = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for _ in range(2):
    for i, rows in enumerate(torch.randperm(320).split(8)):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows]) / 4
        loss.backward()  # expect
        if i % 4 == 3:
            optimizer.step()
