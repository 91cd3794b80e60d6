"""A tagger for sequences returns the scores of its last layer; its author took them for logarithms."""

import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 12)
        self.recurrent = nn.LSTM(12, 16, batch_first=True)
        self.tags = nn.Linear(16, 4, bias=False)

    def forward(self, tokens):
        states, _ = self.recurrent(self.embedding(tokens))
        return self.tags(F.dropout(states, 0.2, self.training))


torch.manual_seed(4)
tagger = Tagger()
optimizer = torch.optim.AdamW(tagger.parameters(), lr=2e-3)
for _ in range(8):
    tokens = torch.randint(0, 20, (6, 9))
    scores = tagger(tokens)
    loss = F.nll_loss(scores.reshape(-1, 4), (tokens % 4).reshape(-1))  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
