"""A tagger whose loss ignores the padding, and so does its accuracy."""

import torch
from torch import nn

PAD = 0


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 12, padding_idx=PAD)
        self.rnn = nn.GRU(12, 16, batch_first=True, bidirectional=True)
        self.head = nn.Linear(32, 4)

    def forward(self, words):
        return self.head(self.rnn(self.embedding(words))[0])


def sentences(count):
    lengths = torch.randint(3, 13, (count,))
    inside = torch.arange(12)[None] < lengths[:, None]
    words = torch.randint(1, 20, (count, 12)) * inside
    return words, (1 + words % 3) * inside


def accuracy(model, words, tags):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for start in range(0, len(words), 32):
            there = tags[start : start + 32]
            guessed = model(words[start : start + 32]).argmax(-1)
            keep = there != PAD
            right += (guessed[keep] == there[keep]).sum().item()
            total += keep.sum().item()
    return right / total


torch.manual_seed(0)
words, tags = sentences(256)
held_words, held_tags = sentences(64)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
loss_function = nn.CrossEntropyLoss(ignore_index=PAD)
for epoch in range(4):
    model.train()
    order = torch.randperm(len(words))
    for rows in order.split(32):
        optimizer.zero_grad()
        loss = loss_function(model(words[rows]).flatten(0, 1), tags[rows].flatten())
        loss.backward()
        optimizer.step()
    print(epoch, accuracy(model, held_words, held_tags))
