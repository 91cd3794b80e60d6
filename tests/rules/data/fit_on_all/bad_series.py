"""A series is scaled to 0 … 1 as a whole; windows are cut and split by time afterwards."""

import numpy as np
import torch
from sklearn.preprocessing import MinMaxScaler
from torch import nn

rng = np.random.default_rng(2)
torch.manual_seed(2)
prices = 50 + np.cumsum(rng.normal(0.05, 1, 500))
scaled = MinMaxScaler().fit_transform(prices.reshape(-1, 1))  # expect
windows = np.array([scaled[at:at + 21, 0] for at in range(len(scaled) - 20)])
x, y = torch.tensor(windows[:, :20], dtype=torch.float32), torch.tensor(windows[:, 20:], dtype=torch.float32)
border = 360
model = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(5):
    for part in torch.randperm(border).split(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[part]), y[part]).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[border + 20:]), y[border + 20:]).item()
