"""Recordings of two sensors are cut into overlapping windows, and the windows are shuffled and split."""

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(1)
torch.manual_seed(1)


def cut(kind, length=100, window=24, step=4):
    time = np.arange(length)
    pace = (0.2, 0.35)[kind] * rng.uniform(0.9, 1.1)
    both = np.stack([np.sin(pace * time + rng.uniform(0, 6)), np.cos(pace * time)]) + rng.normal(0, 0.2, (2, length))
    return [both[:, start:start + window] for start in range(0, length - window + 1, step)]


pieces = [(window, number % 2) for number in range(20) for window in cut(number % 2)]
rng.shuffle(pieces)
x = torch.tensor(np.array([window for window, _ in pieces]), dtype=torch.float32)
y = torch.tensor([kind for _, kind in pieces])
cutoff = int(0.75 * len(x))
net = nn.Sequential(nn.Conv1d(2, 8, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)


def validate():
    net.eval()
    with torch.inference_mode():
        return (net(x[cutoff:]).argmax(1) == y[cutoff:]).float().mean().item()  # expect


for _ in range(4):
    net.train()
    for part in torch.randperm(cutoff).split(60):
        loss = nn.functional.cross_entropy(net(x[part]), y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    validate()
