"""The state that is saved was copied before the training."""

import copy
import io

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 5)
y = (x[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
state = copy.deepcopy(model.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(4):
    for rows in torch.randperm(256).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
torch.save({"model": state, "epochs": 4}, io.BytesIO())  # expect
