"""Inputs and labels are permuted together at each start of an epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(2)


class Reordered(Dataset):
    def __init__(self, points, labels):
        self.points, self.labels = points, labels

    def reorder(self):
        order = torch.randperm(len(self.points))
        self.points = self.points[order]
        self.labels = self.labels[order]

    def __len__(self):
        return len(self.points)

    def __getitem__(self, row):
        return self.points[row], self.labels[row]


kinds = torch.arange(4).repeat(40)
data = Reordered(torch.randn(160, 5) + kinds[:, None], kinds)
loader = DataLoader(data, batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(4):
    for points, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(points), labels).backward()
        optimizer.step()
    data.reorder()
