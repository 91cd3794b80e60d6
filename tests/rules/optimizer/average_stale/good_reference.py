"""The model as it was before training stays as it is, and is evaluated beside the trained one."""

import copy

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(256, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
before = copy.deepcopy(model).eval()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(6):
    model.train()
    for rows in torch.randperm(224).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    for each in (before, model):
        print((each(x[224:]).argmax(1) == y[224:]).float().mean().item())
