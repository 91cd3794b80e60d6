"""Probabilities of (batch, time, class), turned for the loss, which wants the classes second."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
rnn, head = nn.GRU(4, 16, batch_first=True), nn.Linear(16, 6)
optimizer = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=1e-3)
for _ in range(10):
    x, y = torch.randn(8, 9, 4), torch.randint(0, 6, (8, 9))
    shares = torch.softmax(head(rnn(x)[0]), dim=-1)
    optimizer.zero_grad()
    F.cross_entropy(shares.transpose(1, 2), y).backward()  # expect
    optimizer.step()
