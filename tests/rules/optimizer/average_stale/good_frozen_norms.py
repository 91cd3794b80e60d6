"""Norms that are frozen in the trained model too have nothing to follow."""

import copy

import torch
from torch import nn

torch.manual_seed(5)
x = torch.randn(256, 6)
y = (x[:, 0] > x[:, 2]).long()
model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
model(x)
shadow = copy.deepcopy(model).eval()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(6):
    model.train()
    model[1].eval()
    for rows in torch.randperm(224).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
        with torch.no_grad():
            for mine, its in zip(shadow.parameters(), model.parameters()):
                mine.lerp_(its, 0.1)
    with torch.no_grad():
        print((shadow(x[224:]).argmax(1) == y[224:]).float().mean().item())
