"""A cosine over a hundred epochs and a plateau that may never come; patience ends the run after a few."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(300, 6)
y = x[:, :1] - x[:, 1:2] + 0.3 * torch.randn(300, 1)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=100)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=50)
best, waited = float("inf"), 0
for _ in range(100):
    model.train()
    for rows in torch.randperm(200).split(25):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        score = nn.functional.mse_loss(model(x[200:]), y[200:]).item()
    cosine.step()
    plateau.step(score)
    best, waited = (score, 0) if score < best - 1e-3 else (best, waited + 1)
    if waited == 3:
        break
