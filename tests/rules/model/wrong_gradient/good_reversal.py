"""Gradients that are meant to be other than the slope of an identity: reversed, scaled and clipped ones."""

import torch
from torch import Tensor, nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, strength: float) -> Tensor:
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> tuple[Tensor, None]:
        return -ctx.strength * gradient, None


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        return gradient.clamp(-0.01, 0.01)


torch.manual_seed(3)
x = torch.randn(128, 8)
domain = torch.randint(0, 2, (128,))
labels = (x[:, 0] > 0).long()
body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
task, critic = nn.Linear(32, 2), nn.Linear(32, 2)
optimizer = torch.optim.Adam([*body.parameters(), *task.parameters(), *critic.parameters()], lr=1e-2)
for _ in range(12):
    features = Clip.apply(body(x))
    loss = nn.functional.cross_entropy(task(features), labels)
    loss = loss + nn.functional.cross_entropy(critic(Reverse.apply(features, 0.3)), domain)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
