"""One label a sentence: sentences are filled, their lengths are known to the model, and the loss has no positions."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

torch.manual_seed(4)
sentences = [torch.randint(1, 20, (n,)) for n in torch.randint(2, 12, (96,)).tolist()]
labels = torch.tensor([int(each.float().mean() > 10) for each in sentences])


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 12, padding_idx=0)
        self.rnn = nn.LSTM(12, 12, batch_first=True)
        self.out = nn.Linear(12, 2)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.table(words), lengths, batch_first=True, enforce_sorted=False)
        return self.out(self.rnn(packed)[1][0][-1])


model = Reader()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(96).split(24):
        words = [sentences[i] for i in rows]
        scores = model(pad_sequence(words, batch_first=True), torch.tensor(list(map(len, words))))
        loss = nn.functional.cross_entropy(scores, labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
