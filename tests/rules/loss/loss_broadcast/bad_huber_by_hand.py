"""A Huber loss by hand, in a function, whose arguments are (20, 1) and (20,)."""

import torch
from torch import nn


def huber(prediction, target, delta=1.0):
    error = target - prediction
    size = error.abs()
    return torch.where(size < delta, 0.5 * error ** 2, delta * (size - 0.5 * delta)).mean()


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(3, 12), nn.Linear(12, 1)

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x)))


torch.manual_seed(0)
inputs = torch.randn(60, 3)
targets = inputs.sum(1) ** 2 / 3
net = Small()
optimizer = torch.optim.RMSprop(net.parameters(), lr=0.005)
for epoch in range(3):
    for rows in torch.randperm(60).split(20):
        optimizer.zero_grad()
        error = huber(net(inputs[rows]), targets[rows])  # expect
        error.backward()
        optimizer.step()
