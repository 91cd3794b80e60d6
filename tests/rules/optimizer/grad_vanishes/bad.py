"""Ten layers of sigmoids."""

import torch
from torch import nn

torch.manual_seed(0)
layers = [nn.Linear(8, 16)]
for _ in range(8):
    layers += [nn.Sigmoid(), nn.Linear(16, 16)]
model = nn.Sequential(*layers, nn.Sigmoid(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(40):
    x = torch.randn(64, 8)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()  # expect
