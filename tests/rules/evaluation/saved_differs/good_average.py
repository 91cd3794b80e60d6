"""The average of the weights is saved, and the first state beside the last."""

import copy
import io

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(256, 5)
y = (x[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
first = copy.deepcopy(model.state_dict())
average = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
average.load_state_dict(model.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(4):
    for rows in torch.randperm(256).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
        with torch.no_grad():
            for mine, its in zip(average.parameters(), model.parameters()):
                mine.lerp_(its, 0.1)
torch.save(average.state_dict(), io.BytesIO())
torch.save({"first": first, "last": model.state_dict()}, io.BytesIO())
