"""An embedding that a contrastive term uses too, heads that share it, and an encoder and a decoder that meet there."""

import torch
import torch.nn.functional as F
from torch import nn


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 32)
        self.embed = nn.Linear(32, 16)
        self.classes = nn.Linear(16, 5)
        self.domain = nn.Linear(16, 2)

    def forward(self, x):
        embedding = self.embed(F.gelu(self.body(x)))
        return embedding, self.classes(embedding), self.domain(embedding)


torch.manual_seed(0)
model = Embedder()
encoder, decoder = nn.Linear(16, 16), nn.Linear(16, 8)
optimizer = torch.optim.Adam([*model.parameters(), *encoder.parameters(), *decoder.parameters()], lr=1e-3)
for _ in range(8):
    x = torch.randn(32, 8)
    y = x[:, :5].argmax(1)
    embedding, scores, domains = model(x)
    same = (y[:, None] == y[None]).float()
    unit = F.normalize(embedding, dim=1)
    loss = F.cross_entropy(scores, y) + F.cross_entropy(domains, (x[:, 0] > 0).long())
    loss = loss + F.mse_loss(unit @ unit.T, same) + F.mse_loss(decoder(torch.tanh(encoder(embedding))), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
