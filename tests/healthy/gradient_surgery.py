"""Two tasks whose gradients are taken apart, projected where they conflict, and written back by hand before the
step."""

import torch
from torch import nn

torch.manual_seed(0)
body, first, second = nn.Sequential(nn.Linear(8, 32), nn.ReLU()), nn.Linear(32, 1), nn.Linear(32, 3)
parameters = [*body.parameters(), *first.parameters(), *second.parameters()]
optimizer = torch.optim.Adam(parameters, lr=5e-3)
x = torch.randn(320, 8)
value, kind = x[:, :1] + x[:, 1:2], x[:, :3].argmax(1)


def flat(loss):
    grads = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
    return torch.cat(
        [(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(parameters, grads, strict=True)]
    )


for epoch in range(4):
    for rows in torch.randperm(256).split(32):
        h = body(x[rows])
        losses = [nn.functional.mse_loss(first(h), value[rows]), nn.functional.cross_entropy(second(h), kind[rows])]
        a, b = map(flat, losses)
        if a @ b < 0:
            a, b = a - (a @ b) / (b @ b) * b, b - (a @ b) / (a @ a) * a
        merged, at = a + b, 0
        optimizer.zero_grad()
        for p in parameters:
            p.grad = merged[at : at + p.numel()].view_as(p).clone()
            at += p.numel()
        optimizer.step()
with torch.no_grad():
    print(nn.functional.mse_loss(first(body(x[256:])), value[256:]).item())
