"""The accuracy on the training rows, on some of them and on the held-out rows is printed after each epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x = torch.randn(420, 4)
y = (x.sum(1) > 0).long()
learned, held = TensorDataset(x[:300], y[:300]), TensorDataset(x[300:], y[300:])
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.AdamW(net.parameters(), lr=5e-3)


def accuracy(loader):
    net.eval()
    hits = 0
    with torch.no_grad():
        for inputs, labels in loader:
            hits += (net(inputs).argmax(1) == labels).sum().item()
    return hits / len(loader.dataset)


for _ in range(5):
    net.train()
    for inputs, labels in DataLoader(learned, batch_size=25, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(inputs), labels).backward()
        optimizer.step()
    scores = {name: accuracy(DataLoader(part, batch_size=100)) for name, part in (("train", learned), ("val", held))}
    accuracy(DataLoader(TensorDataset(x[:80], y[:80]), batch_size=80))
    accuracy(DataLoader(held, batch_size=50))
