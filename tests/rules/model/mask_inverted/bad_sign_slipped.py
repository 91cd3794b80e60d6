"""Scores of later positions are filled with 1e-9, where -1e9 was meant."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

torch.manual_seed(3)


class Causal(nn.Module):
    def __init__(self, steps: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(16, 12)
        self.query, self.key, self.value = (nn.Linear(12, 12) for _ in range(3))
        self.vote = nn.Linear(12, 2)
        self.register_buffer("later", torch.ones(steps, steps).triu(1).bool())

    def forward(self, tokens: Tensor) -> Tensor:
        hidden = self.embed(tokens)
        scores = self.query(hidden) @ self.key(hidden).mT * 12**-0.5
        weights = torch.softmax(scores.masked_fill(self.later, 1e-9), dim=-1)  # expect
        return self.vote(weights @ self.value(hidden))


tokens = torch.randint(0, 16, (64, 8))
parity = tokens.cumsum(1) % 2
model = Causal(8)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(8):
    rows = slice(16 * (step % 4), 16 * (step % 4) + 16)
    loss = F.cross_entropy(model(tokens[rows]).transpose(1, 2), parity[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
