"""NumPy's global stream, which PyTorch seeds in each worker; the data set's own generator only made the data."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(5)
np.random.seed(5)


class Noisy(Dataset):
    def __init__(self, count):
        self.rng = np.random.default_rng(5)
        self.rows = self.rng.normal(size=(count, 4)).astype(np.float32)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index] + np.random.normal(0, 0.1, 4).astype(np.float32)
        return row, row.sum(keepdims=True)


def settle(worker):
    np.random.seed(torch.initial_seed() % 2**32)


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
noisy = Noisy(80)
for loader in (
    DataLoader(noisy, batch_size=20, shuffle=True, num_workers=2),
    DataLoader(noisy, batch_size=20, shuffle=True, num_workers=2, worker_init_fn=settle),
):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
