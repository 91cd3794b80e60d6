"""A loader that shuffles is asked for one batch a step: another one each time."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
points = torch.randn(200, 4)
loader = DataLoader(TensorDataset(points, (points[:, 0] > 0).long()), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(40):
    inputs, targets = next(iter(loader))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(inputs), targets).backward()
    optimizer.step()
