"""An lru_cache stands on the method that augments."""

import random
from functools import lru_cache

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

random.seed(3)
torch.manual_seed(3)


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    @lru_cache(4096)  # noqa: B019  # expect
    def varied(self, index):
        row = self.rows[index].clone()
        row[random.randrange(len(row))] = 0.0
        return row * random.uniform(0.9, 1.1)

    def __getitem__(self, index):
        return self.varied(index), self.rows[index].sum().unsqueeze(0)


class Training:
    def __init__(self):
        self.loader = DataLoader(Rows(torch.randn(96, 8)), batch_size=16, shuffle=True)
        self.model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)

    def run(self):
        for _ in range(3):
            for row, total in self.loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.model(row), total).backward()
                self.optimizer.step()


Training().run()
