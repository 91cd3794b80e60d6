"""Every worker begins by seeding NumPy with the same number."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(3)


class Noisy(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index] + np.random.normal(0, 0.1, 4).astype(np.float32)
        return row, row.sum(keepdims=True)


loader = DataLoader(  # expect
    Noisy(np.random.default_rng(3).normal(size=(80, 4)).astype(np.float32)),
    batch_size=20, shuffle=True, num_workers=2, worker_init_fn=lambda worker: np.random.seed(3),
)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for inputs, targets in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), targets).backward()
    optimizer.step()
