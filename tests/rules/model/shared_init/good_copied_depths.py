"""The layers of an encoder are copies of one, as in nn.TransformerEncoder: their depths tell them apart."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(5)


class Encoder(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(12, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.layers = nn.ModuleList(copy.deepcopy(layer) for _ in range(depth))
        self.out = nn.Linear(8, 2)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        h = self.embed(ids)
        for layer in self.layers:
            h = layer(h)
        return self.out(h.mean(1))


ids = torch.randint(12, (120, 6))
y = ((ids < 4).sum(1) > 2).long()
model = Encoder(2)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(12):
    rows = torch.randperm(120)[:40]
    optimizer.zero_grad()
    F.cross_entropy(model(ids[rows]), y[rows]).backward()
    optimizer.step()
