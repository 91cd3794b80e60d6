"""Evaluation remembers the mode and restores it."""

import torch
from torch import nn

torch.manual_seed(10)
x = torch.randn(130, 5)
y = x[:, 0].gt(0).float()
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)


@torch.no_grad()
def accuracy() -> float:
    before = model.training
    model.eval()
    right = (model(x[100:]) > 0).float().eq(y[100:]).float().mean().item()
    model.train(before)
    return right


for _ in range(4):
    for rows in torch.randperm(100).split(25):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(x[rows]), y[rows]).backward()
        optimizer.step()
    accuracy()
