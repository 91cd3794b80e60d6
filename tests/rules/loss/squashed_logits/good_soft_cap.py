"""Scores are capped softly, 15 tanh(x / 15); similarities of unit vectors are divided by a temperature."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
head, classes = nn.Linear(32, 5), nn.Parameter(torch.randn(5, 32))
optimizer = torch.optim.Adam([*body.parameters(), *head.parameters(), classes], lr=1e-3)
for _ in range(10):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    hidden = body(x)
    capped = 15 * torch.tanh(head(hidden) / 15)
    alike = torch.sigmoid(F.normalize(hidden, dim=1) @ F.normalize(classes, dim=1).T) / 0.07
    loss = F.cross_entropy(capped, y) + F.cross_entropy(alike, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
