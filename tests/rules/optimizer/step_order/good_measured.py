"""The norm is measured after the step, by a clip without a limit; clearing comes after it; micro-batches add up."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
norms = []
for step in range(80):
    x = torch.randn(16, 6)
    (nn.functional.mse_loss(model(x), x[:, :1]) / 4).backward()
    if step % 4 == 3:
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), float("inf")).item())
        optimizer.zero_grad()
