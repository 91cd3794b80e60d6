"""Kinds are counted 1, 2, 3 in the file, and the head has four outputs so that nothing crashes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
leaves = torch.randn(240, 4)
kinds = 1 + (leaves[:, 0] > 0.4).long() + (leaves[:, 0] > -0.4).long()
model = nn.Sequential(nn.Linear(4, 16), nn.GELU(), nn.Linear(16, 4))
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    for x, y in DataLoader(TensorDataset(leaves, kinds), batch_size=24, shuffle=True):
        optimizer.zero_grad()
        criterion(model(x), y).backward()  # expect
        optimizer.step()
