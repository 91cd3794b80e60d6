"""Gradient checkpointing of both kinds; the reentrant one runs a backward pass of its own."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
first = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
blocks = nn.ModuleList(nn.Sequential(nn.Linear(16, 16), nn.ReLU()) for _ in range(2))
head = nn.Linear(16, 3)
model = nn.ModuleDict({"first": first, "blocks": blocks, "head": head})
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    hidden = checkpoint(blocks[0], first(x), use_reentrant=True)
    hidden = checkpoint(blocks[1], hidden, use_reentrant=False)
    optimizer.zero_grad()
    nn.functional.cross_entropy(head(hidden), y).backward()
    optimizer.step()
