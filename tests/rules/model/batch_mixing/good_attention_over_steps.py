"""Recurrent and attention layers, laid out as they should be, with a mask as a second argument; batch norm inside."""

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.GRU(3, 12, batch_first=True)
        self.attention = nn.MultiheadAttention(12, 2, batch_first=True)
        self.norm, self.out = nn.BatchNorm1d(12), nn.Linear(12, 2)

    def forward(self, x: torch.Tensor, absent: torch.Tensor) -> torch.Tensor:
        states, _ = self.cells(x)
        seen, _ = self.attention(states, states, states, key_padding_mask=absent)
        return self.out(self.norm(seen[:, 0]))


torch.manual_seed(3)
x = torch.randn(96, 9, 3)
absent = torch.arange(9).expand(96, 9) >= torch.randint(4, 10, (96, 1))
y = (x[:, :4, 1].mean(1) > 0).long()
reader = Reader()
optimizer = torch.optim.Adam(reader.parameters(), lr=1e-2)
for _ in range(3):
    for rows in torch.randperm(96).split(24):
        optimizer.zero_grad()
        nn.functional.cross_entropy(reader(x[rows], absent[rows]), y[rows]).backward()
        optimizer.step()
