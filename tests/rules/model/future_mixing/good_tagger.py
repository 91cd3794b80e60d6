"""A tagger that reads a whole sentence both ways before it tags any word."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.cells = nn.Embedding(20, 12), nn.GRU(12, 10, batch_first=True, bidirectional=True)
        self.out = nn.Linear(20, 3)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.out(self.cells(self.embedding(words))[0]).transpose(1, 2)


torch.manual_seed(5)
words = torch.randint(0, 20, (80, 10))
tags = ((words + words.roll(-1, 1)) % 3).long()
tagger = Tagger()
optimizer = torch.optim.Adam(tagger.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(80).split(16):
        optimizer.zero_grad()
        nn.functional.cross_entropy(tagger(words[rows]), tags[rows]).backward()
        optimizer.step()
