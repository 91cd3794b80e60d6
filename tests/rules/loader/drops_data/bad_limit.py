"""A limit that was meant for a trial run still ends each epoch early, at the same batch of a fixed order."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
LIMIT = 4
points = torch.randn(160, 4)
loader = DataLoader(TensorDataset(points, points.pow(2).sum(1, keepdim=True)), batch_size=16)
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(5):
    for number, (inputs, targets) in enumerate(loader):  # expect
        if number == LIMIT:
            break
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
