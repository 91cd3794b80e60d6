"""A small number keeps the probabilities from zero, before a loss that wants none of them."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)
model = nn.Sequential(nn.Linear(8, 32), nn.ELU(), nn.Linear(32, 4))
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for _ in range(8):
    x, y = torch.randn(32, 8), torch.randint(0, 4, (32,))
    shares = F.softmax(model(x), dim=1) + 1e-8
    loss = F.cross_entropy(shares, y)  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
