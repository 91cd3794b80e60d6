"""A head that is no part of the encoder is forgotten when the optimizer is made."""

import torch
from torch import nn

torch.manual_seed(11)

x = torch.randn(200, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
encoder = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 12), nn.ReLU())
head = nn.Linear(12, 2)
loss_of = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(encoder.parameters(), lr=3e-3)  # expect
for _ in range(3):
    for rows in torch.randperm(200).split(40):
        optimizer.zero_grad()
        loss = loss_of(head(encoder(x[rows])), y[rows])
        loss.backward()
        optimizer.step()
