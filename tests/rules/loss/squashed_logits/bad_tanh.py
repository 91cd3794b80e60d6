"""Tanh before a log-softmax, in a network that ends in log-probabilities."""

import torch
from torch import nn

torch.manual_seed(0)
stack = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 5), nn.Tanh(), nn.LogSoftmax(dim=-1))
optimizer = torch.optim.SGD(stack.parameters(), lr=0.1)
objective = nn.NLLLoss(reduction="sum")


def step(x, y):
    optimizer.zero_grad()
    total = objective(stack(x), y)  # expect
    total.backward()
    optimizer.step()
    return total.item()


for _ in range(10):
    step(torch.randn(16, 8), torch.randint(0, 5, (16,)))
