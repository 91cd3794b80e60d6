"""A sigmoid before the loss that applies it itself."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(2.0))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def step(x, y):
    optimizer.zero_grad()
    loss = criterion(model(x).squeeze(1), y)  # expect
    loss.backward()
    optimizer.step()


for _ in range(10):
    x = torch.randn(32, 8)
    step(x, (x[:, 0] > 0).float())
