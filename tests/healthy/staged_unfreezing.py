"""The head first, the body from the tenth step on, in a group that is added then."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
for parameter in model[0].parameters():
    parameter.requires_grad_(False)
optimizer = torch.optim.Adam(model[2].parameters(), lr=1e-2)
for step in range(24):
    if step == 10:
        for parameter in model[0].parameters():
            parameter.requires_grad_(True)
        optimizer.add_param_group({"params": list(model[0].parameters()), "lr": 1e-3})
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
