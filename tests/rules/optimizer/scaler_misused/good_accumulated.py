"""Micro-batches under a scaler: unscaled and clipped before the step, and the sum of two scaled losses."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(60):
    x = torch.randn(16, 6)
    with torch.autocast("cpu", dtype=torch.float16):
        out = model(x).float()
    left = scaler.scale(nn.functional.mse_loss(out[:, 0], x[:, 0]) / 3)
    right = scaler.scale(nn.functional.mse_loss(out[:, 1], x[:, 1]) / 3)
    (left + right).backward()
    if step % 3 == 2:
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
