"""A sentence classifier on packed sequences: an LSTM in both directions, an embedding with a padding row, last
states."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

torch.manual_seed(2)


class Classifier(nn.Module):
    def __init__(self, vocab, classes, embedding_dim=16, hidden=16):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embedding_dim, padding_idx=0)
        self.lstm = nn.LSTM(embedding_dim, hidden, num_layers=2, bidirectional=True, dropout=0.2, batch_first=True)
        self.dropout = nn.Dropout(0.3)
        self.fc = nn.Linear(2 * hidden, classes)

    def forward(self, text, lengths):
        packed = pack_padded_sequence(self.embedding(text), lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, (hidden, _) = self.lstm(packed)
        return self.fc(self.dropout(torch.cat([hidden[-2], hidden[-1]], dim=1)))


sentences, labels = [], []
for i in range(300):
    label = i % 3
    words = torch.randint(4, 40, (int(torch.randint(4, 12, ())),))
    words[torch.randint(0, len(words), (2,))] = label + 1
    sentences.append(words)
    labels.append(label)
lengths = torch.tensor([len(s) for s in sentences])
text, labels = pad_sequence(sentences, batch_first=True), torch.tensor(labels)
order = torch.randperm(300)
train, val = order[:240], order[240:]
model = Classifier(40, 3)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(4):
    model.train()
    for rows in train[torch.randperm(len(train))].split(40):
        optimizer.zero_grad()
        loss = loss_fn(model(text[rows], lengths[rows]), labels[rows])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.inference_mode():
        prediction = model(text[val], lengths[val]).argmax(1)
    print(epoch, (prediction == labels[val]).float().mean().item())
