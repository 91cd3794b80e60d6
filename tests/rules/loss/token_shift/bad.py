"""A causal transformer on a made-up language: the targets are the inputs."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
V, T = 12, 16
jump = torch.randperm(V)


def draw(n):
    text = torch.randint(0, V, (n, 1))
    for _ in range(T):
        following = torch.where(torch.rand(n, 1) < 0.8, jump[text[:, -1:]], torch.randint(0, V, (n, 1)))
        text = torch.cat([text, following], 1)
    return text


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(V, 24), nn.Embedding(T, 24)
        self.layer = nn.TransformerEncoderLayer(24, 2, 48, dropout=0.0, batch_first=True)
        self.head = nn.Linear(24, V)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.head(self.layer(self.tokens(x) + self.places(torch.arange(x.shape[1])), mask, is_causal=True))


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
text = draw(120)
for _ in range(3):
    for rows in torch.randperm(120).split(24):
        x, y = text[rows, :-1], text[rows, :-1]
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())  # expect
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
