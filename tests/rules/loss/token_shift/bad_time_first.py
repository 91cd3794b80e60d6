"""A recurrent language model over text that lies time first, against the very tokens it is given."""

import torch
from torch import nn

torch.manual_seed(5)
table, rnn, head = nn.Embedding(15, 16), nn.LSTM(16, 24), nn.Linear(24, 15)
optimizer = torch.optim.Adam([*table.parameters(), *rnn.parameters(), *head.parameters()], lr=5e-3)
for _ in range(12):
    text = (torch.randint(0, 15, (1, 20)) + torch.arange(11)[:, None] * torch.randint(1, 4, (1, 20))) % 15
    x, y = text[:-1], text[:-1]
    scores = head(rnn(table(x))[0])
    optimizer.zero_grad()
    nn.functional.cross_entropy(scores.reshape(-1, 15), y.reshape(-1)).backward()  # expect
    optimizer.step()
