"""A first row is dropped from the readings, and the last one from the labels."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(0)
torch.manual_seed(0)
level = rng.normal(size=900)
readings = np.column_stack([level, level**2, np.cos(level)]) + 0.5 * rng.normal(size=(900, 3))
changes = readings[1:]
loads = level[:-1]  # expect
x, y = torch.tensor(changes, dtype=torch.float32), torch.tensor(loads, dtype=torch.float32).unsqueeze(1)
rows = torch.randperm(len(x))
learned, held = rows[:600], rows[600:]
model = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(4):
    for inputs, targets in DataLoader(TensorDataset(x[learned], y[learned]), batch_size=50, shuffle=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[held]), y[held]).item()
