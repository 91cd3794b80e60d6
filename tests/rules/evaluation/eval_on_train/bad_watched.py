"""Both loaders are made of the training rows, and the held-out rows of nothing."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
x = torch.randn(400, 5)
table = TensorDataset(x, (x[:, 0] > 0).long())
learned, held = random_split(table, [300, 100])
train_loader = DataLoader(learned, batch_size=30, shuffle=True)
val_loader = DataLoader(learned, batch_size=100)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)


def evaluate(loader):
    model.eval()
    with torch.no_grad():
        return sum((model(inputs).argmax(1) == labels).sum().item() for inputs, labels in loader)  # expect


for _ in range(4):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    hits = evaluate(val_loader)
