"""The data set draws its noise from a generator of its own, which each worker makes anew."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, get_worker_info

torch.manual_seed(1)


class Noisy(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.rng = np.random.default_rng(1)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index] + self.rng.normal(0, 0.1, 4)
        return torch.tensor(row, dtype=torch.float32), torch.tensor([row.sum()], dtype=torch.float32)


def apart(_):
    info = get_worker_info()
    info.dataset.rng = np.random.default_rng(info.seed)


rows = Noisy(np.random.default_rng(2).normal(size=(80, 4)))
loader = DataLoader(rows, batch_size=20, shuffle=True, num_workers=2, worker_init_fn=apart)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for inputs, targets in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), targets).backward()
    optimizer.step()
