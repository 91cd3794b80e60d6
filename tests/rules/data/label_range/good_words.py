"""The next word after three: word 0 is padding, which full sentences never hold."""

import torch
from torch import nn

torch.manual_seed(4)
text = torch.randint(1, 9, (400,))
windows = text.unfold(0, 4, 1)
model = nn.Sequential(nn.Embedding(9, 8, padding_idx=0), nn.Flatten(), nn.Linear(24, 9))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for rows in torch.randperm(len(windows)).split(40):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(windows[rows, :3]), windows[rows, 3]).backward()
    optimizer.step()
