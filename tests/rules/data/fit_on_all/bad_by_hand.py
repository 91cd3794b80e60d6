"""Means and deviations of all rows scale the table, which is split afterwards."""

import torch
from torch import nn

torch.manual_seed(0)
table = torch.rand(600, 4) ** 3 * torch.tensor([10.0, 2.0, 300.0, 0.5]) + torch.tensor([5.0, 0.0, 20.0, 1.0])
price = (table[:, :1] / 10 + table[:, 2:3] / 300) + 0.1 * torch.randn(600, 1)
table = (table - table.mean(0)) / table.std(0)
order = torch.randperm(600)
learned, held = order[:420], order[420:]
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(6):
    for rows in learned[torch.randperm(420)].split(42):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(table[rows]), price[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(table[held]), price[held]).item()
