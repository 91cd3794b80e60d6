"""Inputs up to 1,680 make scores of tens: the first loss says so."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_wine
from torch import nn

torch.manual_seed(0)
wine = load_wine()
x, y = torch.tensor(wine.data, dtype=torch.float32), torch.tensor(wine.target)
x = x - x.min()
model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for batch in torch.randperm(len(x)).split(64):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x[batch]), y[batch])  # expect
    loss.backward()
    optimizer.step()
