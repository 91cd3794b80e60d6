"""Two groups that differ in their rates alone: decay everywhere is PyTorch's default, and a note."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 3))
groups = [{"params": model[:2].parameters(), "lr": 1e-4}, {"params": model[3].parameters()}]
optimizer = torch.optim.AdamW(groups, lr=1e-3, weight_decay=0.05)
for _ in range(5):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
