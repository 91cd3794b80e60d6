"""Losses without reduction, times a mask, over the number of true positions: tagging, and forecasts with gaps."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
lengths = torch.randint(3, 10, (200,))
words = pad_sequence([torch.randint(1, 15, (int(n),)) for n in lengths], batch_first=True)
tags = (words % 4) * (words != 0)
mask = words != 0


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(15, 16, padding_idx=0)
        self.attention = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1, batch_first=True)
        self.out = nn.Linear(16, 4)

    def forward(self, ids):
        return self.out(self.attention(self.embed(ids), src_key_padding_mask=ids == 0))


def run_epoch(model, rows, optimizer=None):
    right = total = 0
    for batch in rows.split(20):
        longest = int(lengths[batch].max())
        ids, target, keep = words[batch, :longest], tags[batch, :longest], mask[batch, :longest]
        logits = model(ids)
        each = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
        loss = (each * keep).sum() / keep.sum()
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(model.parameters(), 1.0)
            optimizer.step()
        right += ((logits.argmax(-1) == target) & keep).sum().item()
        total += keep.sum().item()
    return right / total


model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
order = torch.randperm(200)
train, val = order[:160], order[160:]
for epoch in range(3):
    model.train()
    run_epoch(model, train[torch.randperm(160)], optimizer)
    model.eval()
    with torch.no_grad():
        print(epoch, run_epoch(model, val))

series = torch.randn(160, 12, 1).cumsum(1) * 0.3
observed = torch.rand(160, 12, 1) > 0.3
filled = torch.where(observed, series, torch.zeros_like(series))
rnn, out = nn.GRU(2, 16, batch_first=True), nn.Linear(16, 1)
optimizer = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=5e-3)
for epoch in range(3):
    for rows in torch.randperm(128).split(32):
        inputs = torch.cat([filled[rows, :-1], observed[rows, :-1].float()], -1)
        prediction = out(rnn(inputs)[0])
        keep = observed[rows, 1:]
        loss = ((prediction - series[rows, 1:]) ** 2)[keep].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
