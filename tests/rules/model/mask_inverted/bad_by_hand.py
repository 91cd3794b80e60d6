"""Attention by hand: scores of the words are filled with -1e9, those of the padding are kept."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

torch.manual_seed(1)


class Pooled(nn.Module):
    def __init__(self, width: int = 12) -> None:
        super().__init__()
        self.width = width
        self.tokens = nn.Embedding(40, width)
        self.project = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, 3)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        query, key, value = self.project(self.tokens(tokens)).chunk(3, dim=-1)
        scores = query @ key.transpose(1, 2) / math.sqrt(self.width)
        weights = F.softmax(scores.masked_fill(mask[:, None] == 1, -1e9), dim=-1)  # expect
        return self.out((weights @ value).mean(1))


tokens = torch.randint(2, 40, (80, 7))
for row, length in enumerate(torch.randint(3, 7, (80,)).tolist()):
    tokens[row, length:] = 1
classes = tokens[:, 0] % 3
model = Pooled()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for _epoch in range(3):
    for start in range(0, 80, 20):
        ids = tokens[start : start + 20]
        loss = F.cross_entropy(model(ids, (ids != 1).long()), classes[start : start + 20])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
