"""The checkpoint holds weights and an epoch; the loop goes on where it says, with a fresh optimizer."""

import io

import torch
from torch import nn


class Trainer:
    def __init__(self, file=None):
        self.net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.start_epoch = 0
        if file is not None:
            file.seek(0)
            state = torch.load(file)
            self.net.load_state_dict(state["net"])  # expect
            self.start_epoch = state["epoch"] + 1

    def fit(self, x, y, epochs, file):
        for epoch in range(self.start_epoch, epochs):
            for rows in torch.randperm(len(x)).split(20):
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.net(x[rows]), y[rows]).backward()
                self.optimizer.step()
            file.seek(0)
            torch.save({"net": self.net.state_dict(), "epoch": epoch}, file)


torch.manual_seed(1)
x = torch.randn(60, 4)
y = (x[:, 0] > x[:, 1]).long()
file = io.BytesIO()
Trainer().fit(x, y, 3, file)
Trainer(file).fit(x, y, 5, file)
