"""The best weights are written when they are the best, read again at the end, and then evaluated."""

import io

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(60, 4)
y = (x[:, :1] > 0).float()
model = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
lowest, file = float("inf"), io.BytesIO()
for _ in range(20):
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(model(x[:40]), y[:40]).backward()
    optimizer.step()
    with torch.no_grad():
        loss = nn.functional.binary_cross_entropy_with_logits(model(x[40:]), y[40:]).item()
    if loss < lowest:
        lowest = loss
        file.seek(0)
        torch.save(model.state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file))
with torch.no_grad():
    model(x[40:])
