"""A sequence's code is drawn from it; a decoder that is given the words before each writes the sequence again."""

import torch
from torch import nn

torch.manual_seed(5)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(16, 16)
        self.encoder, self.decoder = nn.GRU(16, 20, batch_first=True), nn.GRU(16, 20, batch_first=True)
        self.head = nn.Linear(20, 16)

    def forward(self, x):
        _, code = self.encoder(self.table(x))
        before = torch.cat([torch.full((len(x), 1), 15), x[:, :-1]], 1)
        return self.head(self.decoder(self.table(before), code)[0])


model = Coder()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(12):
    x = (torch.randint(0, 15, (20, 1)) + torch.arange(9) * torch.randint(1, 4, (20, 1))) % 15
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x).transpose(1, 2), x).backward()
    optimizer.step()
