"""Sharpness-aware steps: up by a first backward pass, back, and down by a second; LBFGS beside it."""

import torch
from torch import nn


class SharpnessAware(torch.optim.Optimizer):
    def __init__(self, parameters, base, radius=0.05):
        super().__init__(parameters, {"radius": radius, "lr": 0.05})
        self.base = base(self.param_groups, lr=0.05)

    @torch.no_grad()
    def step(self, closure):
        moves = []
        for group in self.param_groups:
            for parameter in group["params"]:
                moves.append((parameter, group["radius"] * parameter.grad / (parameter.grad.norm() + 1e-12)))
                parameter.add_(moves[-1][1])
        self.zero_grad()
        with torch.enable_grad():
            closure()
        for parameter, move in moves:
            parameter.sub_(move)
        self.base.step()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = SharpnessAware(model.parameters(), torch.optim.SGD)
for _ in range(20):
    x = torch.randn(32, 6)

    def closure(x=x):
        loss = nn.functional.mse_loss(model(x), x[:, :1])
        loss.backward()
        return loss

    optimizer.zero_grad()
    closure()
    optimizer.step(closure)
