"""An optimizer that was told to maximise is given a loss."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(160, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, maximize=True)
criterion = nn.CrossEntropyLoss()
for _ in range(2):
    for rows in torch.randperm(160).split(20):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()  # expect
        optimizer.step()
