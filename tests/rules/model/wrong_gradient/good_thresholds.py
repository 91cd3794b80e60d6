"""Slopes that are made for thresholds: a straight-through sign, a surrogate spike, a clamp that lets gradients pass."""

import torch
from torch import Tensor, nn


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return torch.where(x > 0, 1.0, -1.0).to(x.dtype)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        return gradient


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return gradient / (1 + 10 * x.abs()) ** 2


class Passing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        return gradient


torch.manual_seed(2)
x = torch.randn(128, 8)
labels = (x.sum(1) > 0).long()
first, second, third, head = nn.Linear(8, 16), nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 2)
layers = nn.ModuleList([first, second, third, head])
optimizer = torch.optim.Adam(layers.parameters(), lr=1e-2)
for _ in range(12):
    hidden = Sign.apply(first(x))
    hidden = Spike.apply(second(hidden)) + third(hidden)
    loss = nn.functional.cross_entropy(head(Passing.apply(hidden)), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
