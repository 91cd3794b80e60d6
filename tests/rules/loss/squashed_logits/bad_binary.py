"""One ReLU too many before binary_cross_entropy_with_logits: no chance ever falls below a half."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1), nn.ReLU())
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(8):
    x = torch.randn(40, 5)
    y = (x[:, 0] > 0).float()
    loss = F.binary_cross_entropy_with_logits(net(x)[:, 0], y)  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
