"""A disturbance that fools a trained model: its loss is maximised, the model stands still."""

import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(160, 4)
y = (x[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
model.requires_grad_(False)
shift = nn.Parameter(torch.zeros(4))
optimizer = torch.optim.SGD([shift], lr=0.05)
for _ in range(2):
    for rows in torch.randperm(160).split(20):
        optimizer.zero_grad()
        (-nn.functional.cross_entropy(model(x[rows] + shift), y[rows])).backward()
        optimizer.step()
