"""Noise that is a function of seed and index, and a generator that each worker makes when it first reads."""

import os
import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, Dataset

torch.manual_seed(6)


class ByIndex(Dataset):
    def __init__(self, rows, seed):
        self.rows, self.seed = rows, seed

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        rng = np.random.default_rng((self.seed, index))
        return self.rows[index] + torch.from_numpy(rng.normal(0, 0.1, 4)).float()


class ByProcess(Dataset):
    def __init__(self, rows):
        self.rows, self.owner, self.chance = rows, os.getpid(), random.Random(6)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        if self.owner != os.getpid():
            self.owner, self.chance = os.getpid(), random.Random(torch.initial_seed())
        return self.rows[index] * self.chance.uniform(0.9, 1.1)


both = ConcatDataset([ByIndex(torch.randn(40, 4), 6), ByProcess(torch.randn(40, 4))])
loader = DataLoader(both, batch_size=20, shuffle=True, num_workers=2)
model = nn.Sequential(nn.Linear(4, 2), nn.Tanh(), nn.Linear(2, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for rows in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(rows), rows).backward()
    optimizer.step()
