"""A sequence-to-sequence model that reverses its input: padding is ignored in the loss, the decoder is sometimes fed
what it predicted, scores are counted over true tokens alone."""

import random

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

PAD, BOS, EOS = 0, 1, 2
random.seed(0)
torch.manual_seed(0)


def pair():
    tokens = torch.randint(3, 12, (random.randint(3, 6),))
    return tokens, torch.cat([torch.tensor([BOS]), tokens.flip(0), torch.tensor([EOS])])


def collate(pairs):
    source, target = zip(*pairs, strict=True)
    return pad_sequence(source, True, PAD), torch.tensor([len(s) for s in source]), pad_sequence(target, True, PAD)


class Seq2Seq(nn.Module):
    def __init__(self, vocab=12, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=PAD)
        self.encoder = nn.GRU(width, width, batch_first=True)
        self.decoder = nn.GRUCell(width, width)
        self.out = nn.Linear(width, vocab)

    def forward(self, source, lengths, target, forcing=0.5):
        packed = pack_padded_sequence(self.embed(source), lengths, batch_first=True, enforce_sorted=False)
        _, hidden = self.encoder(packed)
        hidden, token, outputs = hidden[0], target[:, 0], []
        for t in range(1, target.shape[1]):
            hidden = self.decoder(self.embed(token), hidden)
            logits = self.out(hidden)
            outputs.append(logits)
            token = target[:, t] if random.random() < forcing else logits.argmax(-1)
        return torch.stack(outputs, 1)


data = [pair() for _ in range(256)]
train = torch.utils.data.DataLoader(data[:192], batch_size=32, shuffle=True, collate_fn=collate)
valid = torch.utils.data.DataLoader(data[192:], batch_size=32, collate_fn=collate)
model = Seq2Seq()
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    model.train()
    for source, lengths, target in train:
        logits = model(source, lengths, target)
        loss = criterion(logits.reshape(-1, logits.shape[-1]), target[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    right = total = 0
    with torch.no_grad():
        for source, lengths, target in valid:
            guess = model(source, lengths, target, forcing=0.0).argmax(-1)
            mask = target[:, 1:] != PAD
            right += ((guess == target[:, 1:]) & mask).sum().item()
            total += mask.sum().item()
    print(epoch, right / total)
