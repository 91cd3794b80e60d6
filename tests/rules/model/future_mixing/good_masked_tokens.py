"""An encoder sees both sides of the tokens that it fills in, as it should."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)
start = torch.randint(0, 9, (80, 1))
text = (start + torch.arange(12) * torch.randint(1, 4, (80, 1))) % 9
encoder = nn.Sequential(
    nn.Embedding(10, 16), nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True), nn.Linear(16, 9),
)
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(80).split(16):
        hidden = torch.rand(16, 12) < 0.2
        scores = encoder(text[rows].masked_fill(hidden, 9))
        optimizer.zero_grad()
        F.cross_entropy(scores.flatten(0, 1), text[rows].masked_fill(~hidden, -100).flatten()).backward()
        optimizer.step()
