"""Texts are filled up, but each has one label: there is no padding among the scored."""

import torch
from torch import nn

torch.manual_seed(4)
lengths = torch.randint(4, 11, (256, 1))
words = torch.randint(1, 20, (256, 10)) * (torch.arange(10)[None] < lengths)
labels = (words[:, 0] > 9).long()
net = nn.Sequential(nn.EmbeddingBag(20, 16, padding_idx=0), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for _ in range(6):
    for rows in torch.randperm(192).split(32):
        opt.zero_grad()
        criterion(net(words[rows]), labels[rows]).backward()
        opt.step()
    with torch.no_grad():
        guesses = net(words[192:]).argmax(1)
        print((guesses == labels[192:]).float().mean().item())
