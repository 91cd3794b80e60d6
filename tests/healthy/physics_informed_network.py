"""A network that solves a boundary value problem: second derivatives by autograd, Adam first and then LBFGS, on the
same collocation points at every step."""

import math

import torch
from torch import nn

torch.manual_seed(1234)
u = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
x = torch.linspace(0, 1, 40).view(-1, 1).requires_grad_(True)
ends = torch.tensor([[0.0], [1.0]])
force = -(math.pi**2) * torch.sin(math.pi * x.detach())


def residual_loss():
    out = u(x)
    du = torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)[0]
    ddu = torch.autograd.grad(du, x, torch.ones_like(du), create_graph=True)[0]
    return ((ddu - force) ** 2).mean() + 10 * (u(ends) ** 2).mean()


adam = torch.optim.Adam(u.parameters(), lr=1e-3)
for step in range(60):
    adam.zero_grad()
    loss = residual_loss()
    loss.backward()
    adam.step()

lbfgs = torch.optim.LBFGS(u.parameters(), lr=1, max_iter=5, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = residual_loss()
    loss.backward()
    return loss


for _ in range(4):
    loss = lbfgs.step(closure)
with torch.no_grad():
    error = (u(x) - torch.sin(math.pi * x)).abs().max()
print(loss.item(), error.item())
