"""Windows of one series, split by time: a few windows lie across the border."""

import torch
from torch import nn

torch.manual_seed(2)
series = torch.randn(500).cumsum(0) * 0.1
windows = series.unfold(0, 16, 1)
x, y = windows[:, :15], windows[:, 15:]
border = 380
model = nn.Sequential(nn.Linear(15, 24), nn.ReLU(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(4):
    for part in torch.randperm(border).split(38):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[part]), y[part]).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[border:]), y[border:]).item()
