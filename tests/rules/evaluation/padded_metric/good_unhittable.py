"""Masked words alone have labels: others hold -100, which no prediction can hit, and are not counted."""

import torch
from torch import nn

torch.manual_seed(3)
text = torch.randint(2, 14, (192, 8))
text[:, 1::2] = text[:, ::2]
net = nn.Sequential(nn.Embedding(14, 24), nn.Flatten(), nn.Linear(192, 64), nn.ReLU(), nn.Linear(64, 8 * 14))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(6):
    right, counted = 0, 0
    for rows in torch.randperm(192).split(32):
        hidden = torch.rand(len(rows), 8) < 0.25
        hidden[:, 0] = True
        labels = text[rows].masked_fill(~hidden, -100)
        scores = net(text[rows].masked_fill(hidden, 1)).view(-1, 8, 14)
        loss = criterion(scores.flatten(0, 1), labels.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (scores.argmax(-1) == labels).sum().item()
        counted += (labels != -100).sum().item()
    print(epoch, right / counted)
