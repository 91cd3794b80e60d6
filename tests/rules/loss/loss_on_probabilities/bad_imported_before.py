"""The loss was imported by name before anybody looked: it is seen through its graph, where its value was made."""

import torch
from torch import nn

torch.manual_seed(0)
cross_entropy = getattr(nn.functional.cross_entropy, "__wrapped__", nn.functional.cross_entropy)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(10):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    loss = cross_entropy(model(x).softmax(1), y)  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
