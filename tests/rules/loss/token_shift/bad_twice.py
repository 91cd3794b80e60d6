"""The program shifts the targets, and the model, which shifts by itself, does so again."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(6)


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(15, 16)
        self.rnn = nn.GRU(16, 24, batch_first=True)
        self.head = nn.Linear(24, 15)

    def forward(self, tokens, targets):
        scores = self.head(self.rnn(self.table(tokens))[0])
        return scores, F.cross_entropy(scores[:, :-1].reshape(-1, 15), targets[:, 1:].reshape(-1))  # expect


model = Writer()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(12):
    start = torch.randint(0, 15, (20, 1))
    tokens = (start + torch.arange(10) * torch.randint(1, 4, (20, 1))) % 15
    optimizer.zero_grad()
    _, loss = model(tokens[:, :-1], tokens[:, 1:])
    loss.backward()
    optimizer.step()
