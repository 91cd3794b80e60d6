"""A language model of one attention layer, without a causal mask."""

import torch
import torch.nn.functional as F
from torch import nn


class Predictor(nn.Module):
    def __init__(self, tokens: int = 11, width: int = 16) -> None:
        super().__init__()
        self.embedding, self.place = nn.Embedding(tokens, width), nn.Parameter(torch.randn(12, width) * 0.1)
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, tokens)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden = self.embedding(tokens) + self.place[: tokens.shape[1]]
        query, key, value = self.mix(hidden).chunk(3, dim=-1)
        hidden = hidden + F.scaled_dot_product_attention(query, key, value)  # expect
        return self.out(hidden)


torch.manual_seed(1)
start = torch.randint(0, 11, (80, 1))
text = (start + torch.arange(13) * torch.randint(1, 4, (80, 1))) % 11
model = Predictor()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(80).split(16):
        scores = model(text[rows, :-1])
        optimizer.zero_grad()
        F.cross_entropy(scores.reshape(-1, 11), text[rows, 1:].reshape(-1)).backward()
        optimizer.step()
