"""The rate is cut when the accuracy stops falling."""

import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(120, 4)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)  # expect
for _ in range(12):
    for rows in torch.randperm(80).split(20):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        val_acc = (model(x[80:]).argmax(1) == y[80:]).float().mean()
    scheduler.step(val_acc)
