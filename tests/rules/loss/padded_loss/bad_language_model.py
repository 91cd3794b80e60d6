"""A language model on sentences that are filled by hand to the longest of their batch; the loss lies in a function."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)
VOCABULARY, FILLER = 20, 19


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(VOCABULARY, 16)
        self.cell = nn.LSTM(16, 24)
        self.scores = nn.Linear(24, VOCABULARY)

    def forward(self, tokens):
        return self.scores(self.cell(self.table(tokens))[0])


def batch():
    lengths = torch.randint(3, 14, (12,))
    text = torch.full((int(lengths.max()), 12), FILLER)
    for column, length in enumerate(lengths):
        text[:length, column] = (torch.randint(0, 6, (1,)) + 2 * torch.arange(int(length))) % 19
    return text


def score(model, text):
    out = model(text[:-1])
    return F.cross_entropy(out.reshape(-1, VOCABULARY), text[1:].reshape(-1))  # expect


model = Writer()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
for _ in range(12):
    loss = score(model, batch())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
