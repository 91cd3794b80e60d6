"""Encoder and head have an optimizer each, and only the head's is stepped."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, head = nn.Linear(6, 16), nn.Linear(16, 3)
first = torch.optim.Adam(encoder.parameters(), lr=1e-3)  # expect
second = torch.optim.Adam(head.parameters(), lr=1e-3)
for _ in range(40):
    x = torch.randn(32, 6)
    first.zero_grad()
    second.zero_grad()
    nn.functional.cross_entropy(head(torch.relu(encoder(x))), x[:, :3].argmax(1)).backward()
    second.step()
