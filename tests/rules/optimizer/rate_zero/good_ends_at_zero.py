"""A warm-up that begins at zero, a decay that ends there, and a group that is held at zero for a while."""

import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(6, 12), nn.Linear(12, 1)
optimizer = torch.optim.SGD([
    {"params": body.parameters(), "lr": 0.0}, {"params": head.parameters(), "lr": 0.05},
])
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(step / 5, max(0.0, (45 - step) / 40)))
for _ in range(50):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(head(torch.relu(body(x))), x[:, :1]).backward()
    optimizer.step()
    schedule.step()
