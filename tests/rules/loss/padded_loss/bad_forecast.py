"""A network that filters noisy series of unequal lengths: vectors of zeros behind their ends count in its error."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(7)


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, 16, batch_first=True)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(self.rnn(x)[0])


series = [torch.randn(length, 2) for length in torch.randint(4, 20, (60,)).tolist()]
wanted = [(each.cumsum(0).sum(1, keepdim=True) / 4) for each in series]
model = Filter()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.MSELoss()
for _ in range(2):
    for rows in torch.randperm(60).split(12):
        x = pad_sequence([series[i] for i in rows], batch_first=True)
        y = pad_sequence([wanted[i] for i in rows], batch_first=True)
        loss = criterion(model(x), y)  # expect
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
