"""Training rows are scored on their own beside the held-out rows, through one function."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
x = torch.randn(360, 4)
y = (x[:, :2].sum(1) > 0).float()
learned, held = TensorDataset(x[:260], y[:260]), TensorDataset(x[260:], y[260:])
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def test(loader):
    with torch.no_grad():
        return sum(((model(inputs)[:, 0] > 0) == (labels > 0)).sum().item() for inputs, labels in loader)


for _ in range(4):
    for inputs, labels in DataLoader(learned, batch_size=26, shuffle=True):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(inputs)[:, 0], labels).backward()
        optimizer.step()
    test(DataLoader(learned, batch_size=100))
    test(DataLoader(held, batch_size=100))
