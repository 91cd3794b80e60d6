"""The second term is added to the first."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
body, classes, size = nn.Sequential(nn.Linear(8, 32), nn.ReLU()), nn.Linear(32, 5), nn.Linear(32, 1)
optimizer = torch.optim.Adam([*body.parameters(), *classes.parameters(), *size.parameters()], lr=1e-3)
for _ in range(10):
    x = torch.randn(32, 8)
    y, amount = x[:, :5].argmax(1), x[:, :1].abs()
    hidden = body(x)
    loss = F.cross_entropy(classes(hidden), y)
    loss = loss + F.mse_loss(size(hidden), amount)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
