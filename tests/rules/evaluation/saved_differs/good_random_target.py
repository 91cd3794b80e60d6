"""A random network that is never trained is saved beside the one that learns from it."""

import io

import torch
from torch import nn


def network():
    return nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))


torch.manual_seed(4)
target, predictor = network().requires_grad_(False), network()
optimizer = torch.optim.Adam(predictor.parameters(), lr=5e-3)
for _ in range(30):
    states = torch.randn(32, 6)
    loss = (predictor(states) - target(states)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save({"target": target.state_dict(), "predictor": predictor.state_dict()}, io.BytesIO())
