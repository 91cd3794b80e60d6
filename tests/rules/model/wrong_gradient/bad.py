"""A cube whose derivative was taken to be that of a square."""

import torch
from torch import Tensor, nn


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod  # expect
    def backward(ctx, gradient: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return gradient * 2 * x**2


torch.manual_seed(0)
inputs = torch.randn(64, 6)
targets = inputs[:, :1] ** 3
first, last = nn.Linear(6, 8), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=1e-2)
for _ in range(12):
    optimizer.zero_grad()
    nn.functional.mse_loss(last(Cube.apply(first(inputs))), targets).backward()
    optimizer.step()
