"""A mixture of experts of which one is rarely chosen: it has no gradient on most steps."""

import torch
from torch import nn

torch.manual_seed(0)
experts = nn.ModuleList(nn.Linear(8, 3) for _ in range(4))
optimizer = torch.optim.SGD(experts.parameters(), lr=0.05)
for step in range(40):
    chosen = 3 if step == 37 else step % 3
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(experts[chosen](x), y).backward()
    optimizer.step()
