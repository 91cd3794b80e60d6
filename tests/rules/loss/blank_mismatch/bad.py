"""Symbols are numbered from 0, which is the blank of the loss."""

import torch
from torch import nn

torch.manual_seed(0)


class Hearer(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 16)
        self.out = nn.Linear(16, 6)

    def forward(self, x):
        return self.out(self.rnn(x)[0]).log_softmax(2)


model = Hearer()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CTCLoss()
sounds = torch.randn(6, 4)
for _ in range(10):
    symbols = torch.randint(0, 5, (16, 4))
    x = sounds[symbols].repeat_interleave(3, 1).transpose(0, 1) + 0.1 * torch.randn(12, 16, 4)
    lengths = torch.full((16,), 12), torch.full((16,), 4)
    optimizer.zero_grad()
    loss = criterion(model(x), symbols, *lengths)  # expect
    loss.backward()
    optimizer.step()
