"""A recurrent tagger of words: the filler behind short sentences counts."""

import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

random.seed(3)
torch.manual_seed(3)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 12, padding_idx=0)
        self.rnn = nn.GRU(12, 16, batch_first=True)
        self.out = nn.Linear(16, 4)

    def forward(self, x):
        return self.out(self.rnn(self.words(x))[0])


def draw():
    words = torch.randint(1, 30, (random.randint(2, 11),))
    return words, words % 3 + 1


def join(batch):
    words, tags = zip(*batch, strict=True)
    return pad_sequence(words, batch_first=True), pad_sequence(tags, batch_first=True)


loader = DataLoader([draw() for _ in range(128)], batch_size=16, shuffle=True, collate_fn=join)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for _ in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x).transpose(1, 2), y)  # expect
        loss.backward()
        optimizer.step()
