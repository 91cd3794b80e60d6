"""A trainer whose step on a batch clears first and steps on every third call, after clipping."""

import torch
import torch.nn.functional as F
from torch import nn


class Fit:
    def __init__(self, model, every):
        self.model, self.every, self.seen = model, every, 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    def on(self, x, y):
        self.model.zero_grad()
        loss = F.mse_loss(self.model(x), y) / self.every
        loss.backward()  # expect
        self.seen += 1
        if self.seen % self.every:
            return
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
        self.optimizer.step()


torch.manual_seed(1)
fit = Fit(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), every=3)
for _ in range(36):
    x = torch.randn(12, 4)
    fit.on(x, x.sum(1, keepdim=True))
