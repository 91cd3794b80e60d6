"""Evaluation, at another line and without no_grad, leaves the model in evaluation mode; full batches, many epochs."""

import torch
from torch import nn

torch.manual_seed(6)
x = torch.randn(90, 4)
y = x.prod(1, keepdim=True).tanh()
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Dropout(0.2), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(12):
    loss = nn.functional.mse_loss(model(x[:60]), y[:60])  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 4 == 3:
        model.eval()
        nn.functional.mse_loss(model(x[60:]), y[60:]).item()
