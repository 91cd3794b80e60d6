"""A convolution puts classes second; a view takes them for last."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(96, 2, 7)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
model = nn.Sequential(nn.Conv1d(2, 12, 3, padding=1), nn.ReLU(), nn.Conv1d(12, 3, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for _ in range(2):
    for rows in torch.randperm(96).split(16):
        out = model(x[rows])
        optimizer.zero_grad()
        loss = criterion(out.view(-1, 3), y[rows].reshape(-1))  # expect
        loss.backward()
        optimizer.step()
