"""Adversarial examples are made in evaluation mode, and trained on in training mode."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(12)
x = torch.randn(160, 6)
y = x[:, :2].argmax(1)
model = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    for rows in torch.randperm(120).split(30):
        model.eval()
        attacked = x[rows].clone().requires_grad_(True)
        (slope,) = torch.autograd.grad(F.cross_entropy(model(attacked), y[rows]), attacked)
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(model((attacked + 0.05 * slope.sign()).detach()), y[rows]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        F.cross_entropy(model(x[120:]), y[120:]).item()
