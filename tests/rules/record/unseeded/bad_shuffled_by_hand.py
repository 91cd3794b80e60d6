"""The order of the rows comes from Python's random and the noise from an unseeded generator of NumPy's."""

import random

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng()  # expect
x = torch.tensor(rng.normal(size=(64, 3)), dtype=torch.float32)
y = x.sum(1, keepdim=True)
model = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
order = list(range(64))
for _ in range(3):
    random.shuffle(order)
    for start in range(0, 64, 16):
        rows = order[start:start + 16]
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
