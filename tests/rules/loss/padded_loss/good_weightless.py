"""The class that stands for filler weighs nothing."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(9)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(25, 16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        self.out = nn.Linear(16, 3)

    def forward(self, ids, mask):
        return self.out(self.layer(self.table(ids), src_key_padding_mask=~mask))


lengths = torch.randint(3, 13, (96,))
real = torch.arange(12)[None] < lengths[:, None]
words = torch.randint(1, 25, (96, 12)) * real
tags = (words % 2 + 1) * real
model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(2):
    for rows in torch.randperm(96).split(24):
        scores = model(words[rows], real[rows])
        loss = F.cross_entropy(scores.flatten(0, 1), tags[rows].flatten(), weight=torch.tensor([0.0, 1.0, 1.0]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
