"""Two samples of one number each, compared by the energy distance, whose axes are laid out with view."""

import torch
from torch import nn

torch.manual_seed(0)
maker = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(maker.parameters(), lr=0.01)
for _ in range(8):
    made, true = maker(torch.randn(24, 2)), 2 + torch.randn(24)
    between = (made.view(-1, 1) - true.view(1, -1)).abs().mean()
    within = (made.view(-1, 1) - made.view(1, -1)).abs().mean()
    kernel = torch.exp(-(made.view(-1, 1) - true.view(1, -1)).pow(2)).mean()
    loss = 2 * between - within - 0.1 * kernel
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
