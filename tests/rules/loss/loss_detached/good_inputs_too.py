"""Adversarial examples: a backward pass to the inputs alone, then one to the parameters; and an image is optimised."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(6):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    model.requires_grad_(False)
    x.requires_grad_(True)
    F.cross_entropy(model(x), y).backward()
    harder = (x + 0.1 * x.grad.sign()).detach()
    model.requires_grad_(True)
    optimizer.zero_grad()
    F.cross_entropy(model(harder), y).backward()
    optimizer.step()
model.requires_grad_(False)
image = torch.zeros(1, 8, requires_grad=True)
painter = torch.optim.SGD([image], lr=0.1)
for _ in range(6):
    painter.zero_grad()
    (-model(image)[0, 2]).backward()
    painter.step()
