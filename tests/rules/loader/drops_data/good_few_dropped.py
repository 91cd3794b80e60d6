"""A stateful network needs batches of one size; the few rows that are dropped at the end hardly count."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
windows = torch.randn(165, 8, 1).cumsum(1)
targets = windows[:, -1] + 0.1 * torch.randn(165, 1)
loader = DataLoader(TensorDataset(windows, targets), batch_size=16, drop_last=True)
cell, head = nn.GRU(1, 8, batch_first=True), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=0.01)
for _ in range(3):
    state = torch.zeros(1, 16, 8)
    for inputs, following in loader:
        hidden, state = cell(inputs, state)
        state = state.detach()
        loss = nn.functional.mse_loss(head(hidden[:, -1]), following)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
