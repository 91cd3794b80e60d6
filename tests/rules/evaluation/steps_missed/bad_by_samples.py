"""The number of examples is taken for the number of batches."""

import torch
from torch import nn


class Training:
    def __init__(self, net, samples, epochs):
        self.net, self.epochs = net, epochs
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(  # expect
            self.optimizer, max_lr=1e-2, steps_per_epoch=samples, epochs=epochs,
        )

    def run(self, x, y):
        for _ in range(self.epochs):
            for rows in torch.randperm(len(x)).split(20):
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x[rows]), y[rows]).backward()
                self.optimizer.step()
                self.scheduler.step()


torch.manual_seed(1)
x = torch.randn(220, 4)
y = x[:, :1] - x[:, 1:2]
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
Training(net, 200, 4).run(x[:200], y[:200])
with torch.no_grad():
    print(nn.functional.mse_loss(net(x[200:]), y[200:]).item())
