"""A loader that shuffles drops its last rows, others each time, and the steps are counted by the program."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
points = torch.randn(118, 4)
loader = DataLoader(TensorDataset(points, (points[:, 0] > 0).long()), batch_size=40, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
steps = 0
while steps < 17:
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
        steps += 1
        if steps == 17:
            break
