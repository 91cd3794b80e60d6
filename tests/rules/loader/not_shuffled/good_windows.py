"""Windows of a series in the order of time, for a network that carries its state from batch to batch."""

import torch
from torch import nn

torch.manual_seed(7)
series = torch.sin(torch.arange(1300) * 0.13) + 0.1 * torch.randn(1300)
cell, head = nn.GRU(1, 12, batch_first=True), nn.Linear(12, 1)
optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=0.01)
for _ in range(2):
    state = None
    for start in range(0, 1280, 32):
        window, following = series[start:start + 32], series[start + 1:start + 33]
        hidden, state = cell(window.view(1, -1, 1), state)
        state = state.detach()
        loss = nn.functional.mse_loss(head(hidden).flatten(), following)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
