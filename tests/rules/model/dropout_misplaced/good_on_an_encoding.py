"""An encoder ends in dropout, and a head of its own follows before the loss."""

import torch
from torch import nn

torch.manual_seed(8)
x = torch.randn(150, 6)
y = x[:, :3].argmax(1)
encoder = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.2))
head = nn.Linear(24, 3)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=5e-3)
for _ in range(3):
    encoder.train()
    for rows in torch.randperm(120).split(30):
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(encoder(x[rows])), y[rows]).backward()
        optimizer.step()
    encoder.eval()
    with torch.no_grad():
        nn.functional.cross_entropy(head(encoder(x[120:])), y[120:]).item()
