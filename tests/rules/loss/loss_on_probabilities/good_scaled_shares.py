"""Attention over stored examples gives shares, which a learnt sharpness turns into scores."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
classes = 4
centres = 3 * torch.randn(classes, 6)
stored_labels = torch.arange(40) % classes
stored = centres[stored_labels] + torch.randn(40, 6)
embed = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 8))
sharpness = nn.Parameter(torch.tensor(5.0))
optimizer = torch.optim.Adam([*embed.parameters(), sharpness], lr=1e-2)
for _ in range(10):
    labels = torch.randint(0, classes, (24,))
    queries = centres[labels] + torch.randn(24, 6)
    attention = F.softmax(embed(queries) @ embed(stored).T, dim=-1)
    shares = attention @ F.one_hot(stored_labels, classes).float()
    loss = F.cross_entropy(sharpness * shares, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
