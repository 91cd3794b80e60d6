"""An imbalanced task balanced by a weighted sampler, and the same again by class weights; macro F1 over all rows."""

import numpy as np
import torch
from sklearn.metrics import classification_report, f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
np.random.seed(0)
y = torch.from_numpy(np.random.choice(3, 900, p=[0.8, 0.15, 0.05]))
x = torch.randn(900, 8) + torch.eye(3, 8)[y] * 2
train_x, train_y, val_x, val_y = x[:700], y[:700], x[700:], y[700:]
counts = torch.bincount(train_y, minlength=3)


def fit(loader, criterion):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(3):
        model.train()
        for xb, yb in loader:
            optimizer.zero_grad()
            criterion(model(xb), yb).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        prediction = model(val_x).argmax(1).numpy()
    print(classification_report(val_y.numpy(), prediction, zero_division=0))
    return f1_score(val_y.numpy(), prediction, average="macro")


data = TensorDataset(train_x, train_y)
weights = 1.0 / counts[train_y].float()
sampler = WeightedRandomSampler(weights, num_samples=len(weights), replacement=True)
print(fit(DataLoader(data, batch_size=50, sampler=sampler), nn.CrossEntropyLoss()))
class_weights = len(train_y) / (3 * counts.float())
print(fit(DataLoader(data, batch_size=50, shuffle=True), nn.CrossEntropyLoss(weight=class_weights)))
