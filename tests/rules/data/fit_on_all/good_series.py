"""A series of whole numbers, scaled by its first part; later windows hold values that the scaler met before."""

import numpy as np
import torch
from sklearn.preprocessing import MinMaxScaler
from torch import nn

rng = np.random.default_rng(2)
torch.manual_seed(2)
counts = np.round(50 + 20 * np.sin(np.arange(500) / 9) + rng.normal(0, 4, 500))
border = 360
scaler = MinMaxScaler().fit(counts[:border + 20].reshape(-1, 1))
scaled = scaler.transform(counts.reshape(-1, 1))
windows = np.array([scaled[at:at + 21, 0] for at in range(len(scaled) - 20)])
x, y = torch.tensor(windows[:, :20], dtype=torch.float32), torch.tensor(windows[:, 20:], dtype=torch.float32)
model = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(5):
    for part in torch.randperm(border).split(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[part]), y[part]).backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[border + 20:]), y[border + 20:]).item()
