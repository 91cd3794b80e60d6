"""Readings in the order of time, each with its own label, which has a memory."""

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(3)
torch.manual_seed(3)
state = np.zeros(900, dtype=np.int64)
for at in range(1, 900):
    state[at] = state[at - 1] if rng.random() < 0.15 else rng.integers(3)
readings = np.array([[0.0, 1.0], [2.0, -1.0], [-2.0, -1.0]])[state] + 0.6 * rng.normal(size=(900, 2))
x, y = torch.tensor(readings, dtype=torch.float32), torch.tensor(state)
rows = torch.randperm(900)
model = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for part in rows[:600].split(40):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[part]), y[part]).backward()
        optimizer.step()
    with torch.no_grad():
        hits = (model(x[rows[600:]]).argmax(1) == y[rows[600:]]).float().mean()
