"""Weights in float32 keep the updates; autocast computes in bfloat16."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_(0.25 + 0.05 * torch.rand_like(parameter))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
for _ in range(12):
    x = torch.randn(32, 8)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x.to(model[0].weight.dtype)).float(), x[:, :1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
