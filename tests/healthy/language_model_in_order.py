"""The word language model of old: batches in order on purpose, the hidden state repackaged, plain SGD whose rate is
divided by four when the validation loss doesn't improve, the best model saved and loaded for the test."""

import math
import os
import tempfile

import torch
from torch import nn

torch.manual_seed(1111)
NTOKENS, BPTT = 20, 10


class RNNModel(nn.Module):
    def __init__(self, width=24, layers=2, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(NTOKENS, width)
        self.rnn = nn.LSTM(width, width, layers, dropout=dropout)
        self.decoder = nn.Linear(width, NTOKENS)
        self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        self.width, self.layers = width, layers

    def forward(self, inputs, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(inputs)), hidden)
        return torch.log_softmax(self.decoder(self.drop(out)).view(-1, NTOKENS), 1), hidden

    def init_hidden(self, size):
        weight = next(self.parameters())
        return weight.new_zeros(self.layers, size, self.width), weight.new_zeros(self.layers, size, self.width)


def batchify(data, size):
    count = len(data) // size
    return data[: count * size].view(size, -1).t().contiguous()


def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)


def get_batch(source, i):
    length = min(BPTT, len(source) - 1 - i)
    return source[i : i + length], source[i + 1 : i + 1 + length].view(-1)


steps = torch.randint(1, 3, (3000,))
stream = steps.cumsum(0) % NTOKENS
train, val, test = batchify(stream[:2400], 8), batchify(stream[2400:2700], 4), batchify(stream[2700:], 4)
model, criterion, lr = RNNModel(), nn.NLLLoss(), 5.0


def evaluate(source):
    model.eval()
    total, hidden = 0.0, model.init_hidden(4)
    with torch.no_grad():
        for i in range(0, len(source) - 1, BPTT):
            data, targets = get_batch(source, i)
            output, hidden = model(data, hidden)
            hidden = repackage_hidden(hidden)
            total += len(data) * criterion(output, targets).item()
    return total / (len(source) - 1)


with tempfile.TemporaryDirectory() as folder:
    path, best = os.path.join(folder, "model.pt"), None
    for _ in range(3):
        model.train()
        hidden = model.init_hidden(8)
        for i in range(0, len(train) - 1, BPTT):
            data, targets = get_batch(train, i)
            model.zero_grad()
            hidden = repackage_hidden(hidden)
            output, hidden = model(data, hidden)
            loss = criterion(output, targets)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            for p in model.parameters():
                p.data.add_(p.grad, alpha=-lr)
        val_loss = evaluate(val)
        print(val_loss, math.exp(val_loss))
        if not best or val_loss < best:
            torch.save(model.state_dict(), path)
            best = val_loss
        else:
            lr /= 4.0
    model.load_state_dict(torch.load(path, weights_only=True))
    print("test", evaluate(test))
