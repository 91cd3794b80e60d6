"""A warm-up of 200 steps that is stepped once an epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(240, 6)
y = (x[:, 0] > 0.2).float().unsqueeze(1)
loader = DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
warm_up = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 200))
for _ in range(12):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(inputs), targets).backward()
        optimizer.step()
    warm_up.step()  # expect
