"""Gradients cleared in every way there is: by the model, with None, in place, before the backward pass or after the
step, by a new optimizer, and not at all where one pass is summed on purpose over micro-batches."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 5)
y = x @ torch.randn(5, 1)


def by_model(model, optimizer):
    model.zero_grad()


def to_none(model, optimizer):
    for p in model.parameters():
        p.grad = None


def in_place(model, optimizer):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.detach_()
            p.grad.zero_()


def foreach(model, optimizer):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    if grads:
        torch._foreach_zero_(grads)


def by_optimizer(model, optimizer):
    optimizer.zero_grad(set_to_none=False)


for clear in (by_model, to_none, in_place, foreach, by_optimizer):
    for first in (True, False):
        model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        for rows in torch.randperm(256).split(32):
            if first:
                clear(model, optimizer)
            loss = nn.functional.mse_loss(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            if not first:
                clear(model, optimizer)

model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step, rows in enumerate(torch.randperm(256).split(16)):
    (nn.functional.mse_loss(model(x[rows]), y[rows], reduction="sum") / 64).backward()
    if step % 4 == 3:
        optimizer.step()
        optimizer.zero_grad()
