"""The best epoch's weights are kept and saved, once as they are and once in half precision."""

import io

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(256, 5)
y = x[:, :1] * 2
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
best, kept = float("inf"), None
for _ in range(5):
    for rows in torch.randperm(192).split(32):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[192:]), y[192:]).item()
    if error < best:
        best, kept = error, {name: value.clone() for name, value in model.state_dict().items()}
torch.save(kept, io.BytesIO())
torch.save({name: value.half() for name, value in kept.items()}, io.BytesIO())
