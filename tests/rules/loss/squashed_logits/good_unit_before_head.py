"""A ReLU ends the body and the head is linear; a leaky unit after a graph layer is no limit."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
body, head = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.2)), nn.Linear(32, 5)
outer = nn.Linear(32, 5)
optimizer = torch.optim.Adam([*body.parameters(), *head.parameters(), *outer.parameters()], lr=1e-3)
for _ in range(10):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    hidden = body(x)
    loss = F.cross_entropy(head(hidden), y) + F.nll_loss(F.log_softmax(F.elu(outer(hidden)), dim=1), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
