"""Clipped right after clearing, before there is anything to clip; limit and parameters by name."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(0)
model = nn.GRU(3, 8, batch_first=True)
head = nn.Linear(8, 1)
parameters = [*model.parameters(), *head.parameters()]
optimizer = torch.optim.RMSprop(parameters, lr=1e-3)
for _ in range(20):
    x = torch.randn(16, 7, 3)
    optimizer.zero_grad()
    clip_grad_norm_(max_norm=0.5, parameters=parameters)  # expect
    loss = nn.functional.mse_loss(head(model(x)[1][0]), x[:, -1, :1])
    loss.backward()
    optimizer.step()
