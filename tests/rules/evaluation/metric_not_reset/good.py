"""One accuracy object is emptied after each epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics.classification import MulticlassAccuracy

torch.manual_seed(0)
x = torch.randn(140, 5)
y = (x[:, 0] > 0.4).long() + (x[:, 1] > 0).long()
train = DataLoader(TensorDataset(x[:100], y[:100]), batch_size=20, shuffle=True)
valid = DataLoader(TensorDataset(x[100:], y[100:]), batch_size=10)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
accuracy = MulticlassAccuracy(num_classes=3, average="micro")
for _ in range(3):
    model.train()
    for inputs, targets in train:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for inputs, targets in valid:
            accuracy.update(model(inputs), targets)
    score = accuracy.compute().item()
    accuracy.reset()
