"""The examples of small loss are chosen in training mode, without gradients, and trained on."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(23)
x = torch.randn(200, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
y[:20] = 1 - y[:20]
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.25), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(4):
    for rows in torch.randperm(200).split(50):
        with torch.no_grad():
            losses = F.cross_entropy(model(x[rows]), y[rows], reduction="none")
        kept = rows[losses.argsort()[:40]]
        optimizer.zero_grad()
        F.cross_entropy(model(x[kept]), y[kept]).backward()
        optimizer.step()
