"""A transform that the data set is given holds a random.Random, and the data set a helper that calls it."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset

torch.manual_seed(2)


class Shift:
    def __init__(self, seed):
        self.chance = random.Random(seed)

    def __call__(self, row):
        return row.roll(self.chance.randint(-2, 2))


class Rows(Dataset):
    def __init__(self, rows, transform):
        self.rows, self.transform = rows, transform

    def _read(self, index):
        return self.transform(self.rows[index])

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self._read(index)
        return row, (row[0] > 0).long()


def main():
    half = Subset(Rows(torch.randn(80, 6), Shift(3)), range(40))
    loader = DataLoader(half, batch_size=10, num_workers=2, shuffle=True)  # expect
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()


main()
