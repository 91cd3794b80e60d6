"""A generator of the data set's own, read by the program itself and by a single worker."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(7)


class Noisy(Dataset):
    def __init__(self, rows):
        self.rows, self.rng = rows, np.random.default_rng(7)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index] + torch.from_numpy(self.rng.normal(0, 0.1, 4)).float()
        return row, row.sum().unsqueeze(0)


noisy = Noisy(torch.randn(80, 4))
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for workers in (0, 1):
    for inputs, targets in DataLoader(noisy, batch_size=20, shuffle=True, num_workers=workers):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
