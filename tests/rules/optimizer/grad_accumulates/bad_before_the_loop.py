"""Cleared once before the loop, in a class whose method clears another model."""

import torch
from torch import nn


class Pair:
    def __init__(self):
        self.first, self.second = nn.Linear(6, 1), nn.Linear(6, 1)
        self.optimizer = torch.optim.Adam(self.first.parameters(), lr=1e-3)

    def fit(self, batches):
        self.optimizer.zero_grad()
        for x in batches:
            self.second.zero_grad()
            loss = nn.functional.smooth_l1_loss(self.first(x), x[:, :1])
            loss.backward()  # expect
            self.optimizer.step()


torch.manual_seed(0)
Pair().fit([torch.randn(16, 6) for _ in range(25)])
