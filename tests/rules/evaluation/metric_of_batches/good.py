"""Macro F1 is computed once over the whole held-out set."""

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
    score = f1_score(np.concatenate(wanted), np.concatenate(found), average="macro")
    model.train()
