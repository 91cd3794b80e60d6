"""Means over tasks, over folds of a search for a threshold, and a score per batch that is only shown."""

import numpy as np
import torch
from sklearn.metrics import f1_score, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
x = torch.randn(260, 6)
y = (x[:, :3] + 0.5 * torch.randn(260, 3) > 0).float()
loader = DataLoader(TensorDataset(x[:160], y[:160]), batch_size=40, shuffle=True)
valid_loader = DataLoader(TensorDataset(x[160:], y[160:]), batch_size=25)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(4):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(inputs), targets).backward()
        optimizer.step()
    model.eval()
    kept, shown = [], []
    with torch.no_grad():
        for inputs, targets in valid_loader:
            kept.append(model(inputs).numpy())
            shown.append(round(f1_score(targets.numpy(), kept[-1] > 0, average="micro"), 2))
    scores = np.concatenate(kept)
    per_task = [roc_auc_score(y[160:, task].numpy(), scores[:, task]) for task in range(3)]
    mean_auc = np.mean(per_task)
    best = max(f1_score(y[160:, 0].numpy(), scores[:, 0] > level) for level in np.linspace(-1, 1, 9))
