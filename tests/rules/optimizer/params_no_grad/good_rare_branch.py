"""A branch that is taken on one step in thirty, between two that are sampled."""

import torch
from torch import nn

torch.manual_seed(0)
main, rare = nn.Linear(8, 3), nn.Linear(8, 3)
model = nn.ModuleDict({"main": main, "rare": rare})
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(60):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    scores = main(x) + (rare(x) if step % 30 == 25 else 0)
    optimizer.zero_grad()
    nn.functional.cross_entropy(scores, y).backward()
    optimizer.step()
