"""The energy distance between two samples of equal size: every prediction meets every observation, as it should."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(15):
    drawn = model(torch.randn(32, 3)).squeeze(1)
    seen = torch.randn(32) * 2 + 1
    apart = (drawn.unsqueeze(1) - seen.unsqueeze(0)).abs().mean()
    loss = 2 * apart - (drawn.unsqueeze(1) - drawn.unsqueeze(0)).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
