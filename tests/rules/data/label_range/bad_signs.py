"""Labels of -1 and +1 go into binary cross-entropy, in a class of their own."""

import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
        self.loss = nn.BCEWithLogitsLoss()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-2)

    def step(self, x, y):
        loss = self.loss(self.net(x).squeeze(1), y)  # expect
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


torch.manual_seed(0)
points = torch.randn(200, 3)
sides = torch.sign(points[:, 0] + 0.1)
trainer = Trainer()
for rows in torch.arange(200).split(25):
    trainer.step(points[rows], sides[rows])
