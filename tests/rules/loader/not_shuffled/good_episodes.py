"""Batches of two classes with eight examples each, for an embedding; classes come back in random order."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset

torch.manual_seed(10)
labels = torch.arange(8).repeat_interleave(24)
points = torch.randn(192, 6) + nn.functional.one_hot(labels, 8)[:, :6] * 2


class TwoClasses(Sampler):
    def __iter__(self):
        for _ in range(12):
            first, second = torch.randperm(8)[:2].tolist()
            yield [first * 24 + at for at in torch.randperm(24)[:8].tolist()] + [
                second * 24 + at for at in torch.randperm(24)[:8].tolist()]

    def __len__(self):
        return 12


loader = DataLoader(TensorDataset(points, labels), batch_sampler=TwoClasses())
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
