"""A frozen body in evaluation mode under a new head; the optimizer is handed everything."""

import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU())
model = nn.Sequential(body, nn.Linear(32, 4))
for parameter in body.parameters():
    parameter.requires_grad_(False)
body.eval()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for _ in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 4, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
