"""A data set that makes its examples: drawn once, since they are the data. The labels get some noise, on purpose."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

rng = np.random.default_rng(5)
torch.manual_seed(5)


def flipped(kind, share=0.05):
    return 1 - kind if rng.random() < share else kind


class Blobs(Dataset):
    def __init__(self, centres, kinds):
        self.points = [torch.tensor(rng.normal(centres[kind], 0.7), dtype=torch.float32) for kind in kinds]
        self.kinds = [flipped(kind) for kind in kinds]
        self.order = rng.permutation(len(kinds))

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, row):
        return self.points[self.order[row]], self.kinds[self.order[row]]


blobs = Blobs(np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]), rng.integers(0, 2, 120).tolist())
loader = DataLoader(blobs, batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(4):
    for point, kind in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(point), kind).backward()
        optimizer.step()
