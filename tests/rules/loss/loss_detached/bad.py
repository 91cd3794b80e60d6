"""The loss is made a tensor anew from its value."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(12):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    optimizer.zero_grad()
    value = F.cross_entropy(model(x), y)
    loss = torch.tensor(value.item(), requires_grad=True)  # expect
    loss.backward()
    optimizer.step()
