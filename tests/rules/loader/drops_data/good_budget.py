"""The step budget ends the last epoch early; the epochs before it were whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
order = torch.randperm(160)
points = torch.randn(160, 4)[order]
loader = DataLoader(TensorDataset(points, points.sum(1, keepdim=True)), batch_size=16)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
done = 0
for _ in range(3):
    for inputs, targets in loader:
        if done == 24:
            break
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
        done += 1
