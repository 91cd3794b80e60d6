"""Two tasks are learnt one after the other, each shuffled by itself, as in continual learning."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
labels = torch.arange(4).repeat(60)
points = torch.randn(240, 5) + 1.5 * nn.functional.one_hot(labels, 5)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for task in ((0, 1), (2, 3)):
    chosen = (labels == task[0]) | (labels == task[1])
    loader = DataLoader(TensorDataset(points[chosen], labels[chosen]), batch_size=12, shuffle=True)
    for _ in range(3):
        for inputs, targets in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), targets).backward()
            optimizer.step()
