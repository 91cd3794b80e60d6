"""A trainer builds its model in a method that is called once more after the optimizer was made."""

import torch
from torch import nn


class Trainer:
    def __init__(self, width):
        self.width = width
        self.build()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)  # expect

    def build(self):
        self.model = nn.Sequential(nn.Linear(6, self.width), nn.Tanh(), nn.Linear(self.width, 1))

    def fit(self, steps):
        for _ in range(steps):
            x = torch.randn(32, 6)
            self.optimizer.zero_grad()
            loss = ((self.model(x) - x[:, :1]) ** 2).mean()
            loss.backward()
            self.optimizer.step()


torch.manual_seed(0)
trainer = Trainer(12)
trainer.width = 24
trainer.build()
trainer.fit(20)
