"""Attention's softmax inside the network, softmax pooling at its end, raw scores into the loss."""

import torch
from torch import nn

torch.manual_seed(0)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.query, self.key, self.value = (nn.Linear(16, 16) for _ in range(3))
        self.norm = nn.LayerNorm(16)
        self.weigh = nn.Linear(16, 1)
        self.head = nn.Linear(16, 3)

    def forward(self, tokens):
        x = self.embed(tokens)
        share = torch.softmax(self.query(x) @ self.key(x).transpose(1, 2) / 4, dim=-1)
        x = self.norm(x + share @ self.value(x))
        return self.head((torch.softmax(self.weigh(x), dim=1) * x).sum(1))


model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for _ in range(15):
    tokens, y = torch.randint(0, 20, (16, 7)), torch.randint(0, 3, (16,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(tokens), y).backward()
    optimizer.step()
