"""Five tasks with a head each: their losses, one after the other, add to the gradient of one step on purpose."""

import torch
from torch import nn

torch.manual_seed(3)
body = nn.Sequential(nn.Linear(6, 24), nn.ReLU())
heads = nn.ModuleList(nn.Linear(24, 2) for _ in range(5))
optimizer = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.02)
for _ in range(12):
    optimizer.zero_grad()
    for number, head in enumerate(heads):
        x = torch.randn(16, 6)
        nn.functional.cross_entropy(head(body(x)), (x[:, number] > 0).long()).backward()
    optimizer.step()
