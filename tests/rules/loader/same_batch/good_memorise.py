"""One batch, fetched once, is learnt by heart to see whether the model can."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
points = torch.randn(200, 4)
loader = DataLoader(TensorDataset(points, (points[:, 0] > 0).long()), batch_size=20)
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
inputs, targets = next(iter(loader))
for _ in range(40):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(inputs), targets).backward()
    optimizer.step()
