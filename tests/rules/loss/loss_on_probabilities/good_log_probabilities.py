"""Probabilities, their logarithm and nll_loss: each once. Log-softmax twice changes nothing and is a note at most."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(12):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    scores = model(x)
    if step % 3 == 0:
        loss = F.nll_loss(torch.log(torch.softmax(scores, dim=1)), y)
    elif step % 3 == 1:
        loss = F.cross_entropy(F.log_softmax(scores, dim=1), y)
    else:
        loss = F.cross_entropy(4 * torch.softmax(scores, dim=1), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
