"""The softmax is written out: exponentials over their sum, with the largest taken off first."""

import torch
from torch import nn


def normalise(scores):
    powers = torch.exp(scores - scores.max(dim=1, keepdim=True).values.detach())
    return powers / powers.sum(dim=1, keepdim=True)


torch.manual_seed(1)
inputs, labels = torch.randn(96, 6), torch.randint(0, 3, (96,))
body, head = nn.Sequential(nn.Linear(6, 24), nn.Tanh()), nn.Linear(24, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1, momentum=0.9)
for epoch in range(4):
    order = torch.randperm(96)
    for start in range(0, 96, 32):
        chosen = order[start:start + 32]
        shares = normalise(head(body(inputs[chosen])))
        optimizer.zero_grad()
        criterion(shares, labels[chosen]).backward()  # expect
        optimizer.step()
