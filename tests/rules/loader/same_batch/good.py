"""Each step reads the next batch of one iterator."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
points = torch.randn(200, 4)
data = TensorDataset(points, (points.sum(1) > 0).long())
loader = DataLoader(data, batch_size=25)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
batches = iter(loader)
for _ in range(8):
    inputs, targets = next(batches)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(inputs), targets).backward()
    optimizer.step()
