"""train() is called at the start of every epoch, since every validation switches to evaluation mode."""

import torch
from torch import nn

torch.manual_seed(2)
x = torch.randn(150, 7)
y = (x[:, :1] - x[:, 1:2]).relu()
network = nn.Sequential(nn.Linear(7, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 1))
optimizer = torch.optim.Adam(network.parameters(), lr=5e-3)

for _ in range(3):
    network.train()
    for rows in torch.randperm(120).split(30):
        optimizer.zero_grad()
        nn.functional.mse_loss(network(x[rows]), y[rows]).backward()
        optimizer.step()
    network.eval()
    with torch.no_grad():
        nn.functional.mse_loss(network(x[120:]), y[120:]).item()
