"""The best model is another name of the model that training goes on with."""

import torch
from torch import nn


def fit(model, x, y, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    best_model, best_error = model, float("inf")
    for _ in range(epochs):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[:50]), y[:50]).backward()
        optimizer.step()
        with torch.no_grad():
            error = nn.functional.mse_loss(model(x[50:]), y[50:]).item()
        if error < best_error:
            best_error = error
            best_model = model  # expect
    return best_model


torch.manual_seed(6)
x = torch.randn(90, 4)
y = x[:, :1] * x[:, 1:2]
best = fit(nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 1)), x, y, 15)
with torch.no_grad():
    best(x[50:])
