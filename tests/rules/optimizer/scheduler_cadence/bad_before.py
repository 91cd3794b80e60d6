"""The scheduler is stepped at the beginning of each epoch, as before PyTorch 1.1."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 5)
y = x @ torch.randn(5, 1)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.5)
for _ in range(10):
    scheduler.step()  # expect
    for rows in torch.randperm(200).split(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
