"""The generator stands in the module, beside the data set, and is copied with the process."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(4)
CHANCE = np.random.RandomState(4)


def masked(row):
    kept = CHANCE.rand(len(row)) > 0.2
    return row * torch.from_numpy(kept)


class Masked(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return masked(self.rows[index]), self.rows[index]


loader = DataLoader(Masked(torch.randn(60, 5)), batch_size=15, shuffle=True, num_workers=2)  # expect
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for inputs, targets in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), targets).backward()
    optimizer.step()
