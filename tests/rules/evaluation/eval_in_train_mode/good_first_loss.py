"""The loss before any training is printed, in the mode that the model was made in; nothing was trained yet."""

import torch
from torch import nn

torch.manual_seed(29)
x = torch.randn(96, 3)
y = torch.randint(0, 4, (96,))
model = nn.Sequential(nn.Linear(3, 16), nn.Dropout(0.5), nn.ReLU(), nn.Linear(16, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
with torch.no_grad():
    criterion(model(x), y).item()
for _ in range(3):
    for rows in torch.randperm(96).split(32):
        optimizer.zero_grad()
        criterion(model(x[rows]), y[rows]).backward()
        optimizer.step()
