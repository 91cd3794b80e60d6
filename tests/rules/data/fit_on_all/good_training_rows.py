"""Scaler and target scaler know the training rows alone; the training error is measured as well."""

import numpy as np
import torch
from sklearn.preprocessing import StandardScaler
from torch import nn

rng = np.random.default_rng(3)
torch.manual_seed(3)
table = rng.lognormal(1.0, 0.6, (400, 5))
target = np.log(table).sum(1, keepdims=True) + 0.1 * rng.normal(size=(400, 1))
scaler, unit = StandardScaler().fit(table[:280]), StandardScaler().fit(target[:280])
x = torch.tensor(scaler.transform(table), dtype=torch.float32)
y = torch.tensor(unit.transform(target), dtype=torch.float32)
model = nn.Sequential(nn.Linear(5, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(5):
    model.train()
    for rows in torch.randperm(280).split(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        fitted = nn.functional.mse_loss(model(x[:280]), y[:280]).item()
        error = nn.functional.mse_loss(model(x[280:]), y[280:]).item()
