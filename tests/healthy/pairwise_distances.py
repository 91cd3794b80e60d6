"""Distances between all pairs, (N, 1) against (1, N), on purpose: one dimension is laid out like given distances."""

import torch
from torch import nn

torch.manual_seed(0)
points = torch.randn(24, 5)
wanted = torch.cdist(points, points)
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(15):
    place = model(points)
    distances = (place - place.T).abs()
    loss = ((distances - wanted) ** 2).mean() + 0.01 * ((place - place.T) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
