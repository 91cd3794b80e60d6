"""A recurrent language model whose first scores, before it has read anything, are left out of the loss."""

import torch
from torch import nn

torch.manual_seed(5)


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(15, 16)
        self.rnn = nn.GRU(16, 24, batch_first=True)
        self.head = nn.Linear(24, 15)

    def forward(self, x):
        return self.head(self.rnn(self.table(x))[0])


model = Writer()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(12):
    text = (torch.randint(0, 15, (20, 1)) + torch.arange(11) * torch.randint(1, 4, (20, 1))) % 15
    scores = model(text[:, :-1])[:, 1:]
    optimizer.zero_grad()
    nn.functional.cross_entropy(scores.reshape(-1, 15), text[:, 2:].reshape(-1)).backward()
    optimizer.step()
