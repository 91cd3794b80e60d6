"""A table that was exported sorted by its target is read from top to bottom."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(21)


class Houses(Dataset):
    def __init__(self, count):
        size = torch.rand(count, 3)
        price = size @ torch.tensor([3.0, 1.0, -2.0]) + 0.3 * torch.randn(count)
        order = price.argsort()
        self.size, self.price = size[order], price[order].unsqueeze(1)

    def __len__(self):
        return len(self.price)

    def __getitem__(self, row):
        return self.size[row], self.price[row]


class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)
        self.loader = DataLoader(Houses(256), batch_size=32)  # expect

    def epoch(self):
        for size, price in self.loader:
            self.optimizer.zero_grad()
            nn.MSELoss()(self.model(size), price).backward()
            self.optimizer.step()


trainer = Trainer()
for _ in range(5):
    trainer.epoch()
