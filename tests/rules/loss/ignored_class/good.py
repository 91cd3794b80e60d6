"""No class is ignored."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(300, 4)
y = (x[:, 0] > -0.4).long() + (x[:, 0] > 0.4).long()
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for _ in range(2):
    for rows in torch.randperm(300).split(30):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
