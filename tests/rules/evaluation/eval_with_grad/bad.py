"""Each epoch ends with a look at the held-out loss, for which graphs are built."""

import torch
from torch import nn

torch.manual_seed(0)
rows = torch.randn(160, 5)
targets = rows @ torch.tensor([1.0, -1.0, 0.5, 0.0, 2.0])
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.MSELoss()
for _epoch in range(4):
    model.train()
    for start in range(0, 120, 30):
        loss = criterion(model(rows[start : start + 30]), targets[start : start + 30])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    held_out = criterion(model(rows[120:]), targets[120:])  # expect
    print(held_out.item())
