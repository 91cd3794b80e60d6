"""An average that is written through .data, without norms, and a class that is swapped in for the evaluation."""

import copy

import torch
from torch import nn

torch.manual_seed(4)
x = torch.randn(256, 6)
y = x.sum(1, keepdim=True)
model = nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 1))
ema = copy.deepcopy(model)
for parameter in ema.parameters():
    parameter.requires_grad = False
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.0)
for _ in range(6):
    for rows in torch.randperm(224).split(32):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
        for name, parameter in ema.named_parameters():
            parameter.data = 0.9 * parameter.data + 0.1 * model.get_parameter(name).data
    with torch.no_grad():
        print(nn.functional.mse_loss(ema(x[224:]), y[224:]).item())
