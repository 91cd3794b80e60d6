"""Cleared in every way there is: set to None, zeroed past the version counter, through the model, by foreach."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(40):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    loss = nn.functional.cross_entropy(model(x), y)
    given = [parameter for parameter in model.parameters() if parameter.grad is not None]
    if step % 5 == 0:
        for parameter in given:
            parameter.grad = None
    elif step % 5 == 1:
        for parameter in given:
            parameter.grad.data.zero_()
    elif step % 5 == 2:
        model.zero_grad()
    elif step % 5 == 3:
        torch._foreach_zero_([parameter.grad for parameter in given])
    else:
        optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
