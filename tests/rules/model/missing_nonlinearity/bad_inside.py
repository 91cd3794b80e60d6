"""Within a network a sequence of layers lacks one activation; another sequence has all of its own."""

import torch
import torch.nn.functional as F
from torch import nn


class TwoTowers(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8))
        self.right = nn.Sequential(nn.Linear(6, 16), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 8))  # expect

    def forward(self, a, b):
        return F.cosine_similarity(self.left(a), self.right(b))


torch.manual_seed(0)
towers = TwoTowers()
optimizer = torch.optim.Adam(towers.parameters(), lr=1e-3)
for _ in range(8):
    a, b = torch.randn(24, 6), torch.randn(24, 6)
    loss = F.mse_loss(towers(a, b), torch.sign((a * b).sum(1)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
