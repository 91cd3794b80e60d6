"""A model without norms and biases, and one of which only the biases are trained: one group is rightly empty."""

import torch
from torch import nn

torch.manual_seed(0)
plain = nn.Sequential(nn.Linear(6, 16, bias=False), nn.ReLU(), nn.Linear(16, 1, bias=False))
tuned = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
for name, parameter in tuned.named_parameters():
    parameter.requires_grad_(name.endswith("bias"))
for model in (plain, tuned):
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW([
        {"params": [parameter for parameter in trained if parameter.dim() > 1], "weight_decay": 0.05},
        {"params": [parameter for parameter in trained if parameter.dim() <= 1], "weight_decay": 0.0},
    ], lr=1e-3)
    for _ in range(12):
        x = torch.randn(32, 6)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x[:, :1]).backward()
        optimizer.step()
