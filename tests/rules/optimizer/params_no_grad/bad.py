"""The encoder's output is detached, so it never learns."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, head = nn.Sequential(nn.Linear(8, 16), nn.ReLU()), nn.Linear(16, 3)
model = nn.ModuleDict({"encoder": encoder, "head": head})
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    hidden = encoder(x).detach()
    optimizer.zero_grad()
    nn.functional.cross_entropy(head(hidden), y).backward()
    optimizer.step()
