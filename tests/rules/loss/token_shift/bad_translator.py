"""A translator whose decoder is given the very words that it is to write, not those before them."""

import torch
from torch import nn

torch.manual_seed(8)


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(18, 16), nn.Embedding(18, 16)
        self.encoder = nn.GRU(16, 24, batch_first=True)
        self.decoder = nn.GRU(16, 24, batch_first=True)
        self.head = nn.Linear(24, 18)

    def forward(self, source, target):
        _, state = self.encoder(self.source(source))
        return self.head(self.decoder(self.target(target), state)[0])


model = Translator()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for _ in range(12):
    source = torch.randint(2, 18, (24, 7))
    target = torch.cat([torch.full((24, 1), 1), source.flip(1), torch.full((24, 1), 0)], 1)
    optimizer.zero_grad()
    scores = model(source, target[:, 1:])
    loss = criterion(scores.reshape(-1, 18), target[:, 1:].reshape(-1))  # expect
    loss.backward()
    optimizer.step()
