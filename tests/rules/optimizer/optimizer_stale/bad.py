"""The optimizer is made for a model of which a copy is then trained."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
original = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(original.parameters(), lr=1e-3)  # expect
model = copy.deepcopy(original)
for _ in range(20):
    x = torch.randn(32, 6)
    model.zero_grad()
    nn.functional.cross_entropy(model(x), x[:, :3].argmax(1)).backward()
    optimizer.step()
