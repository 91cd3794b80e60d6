"""Several labels an example, as if they were one distribution."""

import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(120, 4)
y = (x > 0.2).float()[:, :3]
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(120).split(20):
        out = model(x[rows])
        optimizer.zero_grad()
        nn.functional.cross_entropy(out, y[rows]).backward()  # expect
        optimizer.step()
