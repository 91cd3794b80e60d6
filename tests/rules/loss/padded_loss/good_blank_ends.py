"""Texts of a fixed width end in blanks, and the model is to write these as well."""

import torch
from torch import nn

torch.manual_seed(2)
BLANK, WIDTH = 12, 8
lengths = torch.randint(2, WIDTH + 1, (150,))
text = torch.randint(0, 12, (150, WIDTH)).masked_fill(torch.arange(WIDTH)[None] >= lengths[:, None], BLANK)
upper = torch.where(text == BLANK, BLANK, (text + 5) % 12)


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(13, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True, bidirectional=True)
        self.out = nn.Linear(32, 13)

    def forward(self, x):
        return self.out(self.rnn(self.table(x))[0])


model = Translator()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(150).split(30):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(text[rows]).transpose(1, 2), upper[rows])
        loss.backward()
        optimizer.step()
