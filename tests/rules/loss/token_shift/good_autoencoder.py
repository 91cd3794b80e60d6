"""An autoencoder of sequences: what it is given is what it is to give back, through one vector."""

import torch
from torch import nn

torch.manual_seed(3)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(14, 16)
        self.encoder = nn.LSTM(16, 20, batch_first=True)
        self.decoder = nn.LSTM(20, 20, batch_first=True)
        self.head = nn.Linear(20, 14)

    def forward(self, x):
        state = self.encoder(self.table(x))[1][0][-1]
        return self.head(self.decoder(state[:, None].expand(-1, x.shape[1], -1))[0])


model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(12):
    x = torch.randint(0, 14, (32, 6))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x).transpose(1, 2), x).backward()
    optimizer.step()
