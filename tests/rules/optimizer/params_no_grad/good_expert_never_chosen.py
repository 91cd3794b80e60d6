"""One of several equal experts is never chosen: worth a note."""

import torch
from torch import nn

torch.manual_seed(0)
experts = nn.ModuleList(nn.Linear(8, 3) for _ in range(4))
optimizer = torch.optim.SGD(experts.parameters(), lr=0.05)
for step in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(experts[step % 3](x), y).backward()
    optimizer.step()
