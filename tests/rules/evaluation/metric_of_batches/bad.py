"""Macro F1 is computed per batch of a held-out set, and the batches' scores are averaged."""

import numpy as np
import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(240, 6)
y = (x[:, 0] > 0.8).long() + (x[:, 1] > 0.3).long()
train = DataLoader(TensorDataset(x[:160], y[:160]), batch_size=32, shuffle=True)
held_out_loader = DataLoader(TensorDataset(x[160:], y[160:]), batch_size=10)
model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    for inputs, targets in train:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    model.eval()
    scores, found, wanted = [], [], []
    with torch.no_grad():
        for inputs, targets in held_out_loader:
            classes = model(inputs).argmax(1)
            found.append(classes)
            wanted.append(targets)
            scores.append(f1_score(targets, classes, average="macro"))  # expect
    score = np.mean(scores)
    model.train()
