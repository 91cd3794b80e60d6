"""After the first task the body is frozen, and the new head is trained."""

import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU())
model = nn.Sequential(body, nn.Linear(24, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(20):
    x = torch.randn(32, 8)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), x[:, :3].argmax(1)).backward()
    optimizer.step()
model[1] = nn.Linear(24, 4)
model.requires_grad_(False)
model[1].requires_grad_(True)
second = torch.optim.Adam([parameter for parameter in model.parameters() if parameter.requires_grad], lr=1e-3)
for _ in range(20):
    x = torch.randn(32, 8)
    second.zero_grad()
    nn.functional.cross_entropy(model(x), x[:, 4:].argmax(1)).backward()
    second.step()
