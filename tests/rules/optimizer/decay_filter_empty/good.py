"""The filter goes by dimension."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.AdamW([
    {"params": [p for n, p in model.named_parameters() if p.dim() > 1], "weight_decay": 0.05},
    {"params": [p for n, p in model.named_parameters() if p.dim() <= 1], "weight_decay": 0.0},
], lr=1e-3)
for _ in range(12):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()
