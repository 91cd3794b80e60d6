"""Word vectors with negative sampling: two embedding tables, logsigmoid of dot products, negatives drawn each batch."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
vocab, window = 30, 2
text = (torch.cumsum(torch.randint(0, 4, (600,)), 0)) % vocab
centres, contexts = [], []
for position in range(window, len(text) - window):
    for offset in (-2, -1, 1, 2):
        centres.append(text[position])
        contexts.append(text[position + offset])
centres, contexts = torch.stack(centres), torch.stack(contexts)
frequency = torch.bincount(text, minlength=vocab).float().pow(0.75)


class SkipGram(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.u, self.v = nn.Embedding(vocab, dim), nn.Embedding(vocab, dim)
        nn.init.uniform_(self.u.weight, -0.5 / dim, 0.5 / dim)
        nn.init.zeros_(self.v.weight)

    def forward(self, centre, context, negatives):
        c = self.u(centre)
        positive = F.logsigmoid((c * self.v(context)).sum(1))
        negative = F.logsigmoid(-torch.bmm(self.v(negatives), c.unsqueeze(2)).squeeze(2)).sum(1)
        return -(positive + negative).mean()


model = SkipGram()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    for rows in torch.randperm(len(centres)).split(128):
        negatives = torch.multinomial(frequency, len(rows) * 5, replacement=True).view(-1, 5)
        loss = model(centres[rows], contexts[rows], negatives)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
