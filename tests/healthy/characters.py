"""A character model in the min-char-rnn style: batches are rows of one stream in order, the hidden state is carried on
and detached, text is sampled in between."""

import torch
from torch import nn

torch.manual_seed(0)
corpus = "the quick brown fox jumps over the lazy dog. " * 40
chars = sorted(set(corpus))
encoded = torch.tensor([chars.index(c) for c in corpus])
batch_size, seq = 8, 15
steps = (len(encoded) - 1) // batch_size
inputs, targets = (
    encoded[: batch_size * steps].view(batch_size, -1),
    encoded[1 : batch_size * steps + 1].view(batch_size, -1),
)


class CharRNN(nn.Module):
    def __init__(self, n, hidden=48):
        super().__init__()
        self.encoder = nn.Embedding(n, hidden)
        self.rnn = nn.LSTM(hidden, hidden, batch_first=True)
        self.decoder = nn.Linear(hidden, n)

    def forward(self, x, state=None):
        out, state = self.rnn(self.encoder(x), state)
        return self.decoder(out), state


def sample(model, length=20):
    model.eval()
    token, state, text = torch.tensor([[0]]), None, ""
    with torch.no_grad():
        for _ in range(length):
            logits, state = model(token, state)
            token = torch.multinomial((logits[0, -1] / 0.8).softmax(0), 1).view(1, 1)
            text += chars[token.item()]
    model.train()
    return text


model = CharRNN(len(chars))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    state = None
    for start in range(0, inputs.size(1) - seq, seq):
        x, y = inputs[:, start : start + seq], targets[:, start : start + seq]
        logits, state = model(x, state)
        state = tuple(s.detach() for s in state)
        loss = criterion(logits.reshape(-1, len(chars)), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
    print(epoch, loss.item(), sample(model))
