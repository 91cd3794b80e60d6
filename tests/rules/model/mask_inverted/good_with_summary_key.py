"""A key for the whole sequence stands before the words; the mask ignores the padding behind them."""

import torch
from torch import nn


class Summed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.summary = nn.Parameter(torch.zeros(1, 1, 8))
        self.words = nn.Embedding(20, 8, padding_idx=0)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.out = nn.Linear(8, 2)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        keys = torch.cat([self.summary.expand(len(ids), -1, -1), self.words(ids)], dim=1)
        ignored = nn.functional.pad(ids == 0, (1, 0), value=False)
        seen, _ = self.attention(keys[:, :1], keys, keys, key_padding_mask=ignored)
        return self.out(seen[:, 0])


torch.manual_seed(8)
lengths = torch.randint(3, 11, (128, 1))
ids = torch.randint(1, 20, (128, 10)) * (torch.arange(10) < lengths)
label = (ids == 5).any(1).long()
model = Summed()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(3):
    for rows in torch.randperm(128).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(ids[rows]), label[rows]).backward()
        optimizer.step()
