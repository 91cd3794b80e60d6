"""Cosine similarities over a temperature as scores, as in contrastive learning, with both directions in the loss."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
left, right = nn.Linear(8, 16), nn.Linear(6, 16)
scale = nn.Parameter(torch.tensor(2.0))
optimizer = torch.optim.Adam([*left.parameters(), *right.parameters(), scale], lr=1e-3)
for _ in range(15):
    x, z = torch.randn(24, 8), torch.randn(24, 6)
    scores = scale.exp() * F.normalize(left(x), dim=1) @ F.normalize(right(z), dim=1).T
    own = torch.arange(24)
    loss = (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
