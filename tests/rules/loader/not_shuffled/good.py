"""Measurements are stored class by class, and the loader shuffles them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
centres = torch.randn(6, 5) * 2
labels = torch.arange(6).repeat_interleave(40)
points = centres[labels] + torch.randn(240, 5)
loader = DataLoader(TensorDataset(points, labels), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(5, 24), nn.Tanh(), nn.Linear(24, 6))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(4):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
