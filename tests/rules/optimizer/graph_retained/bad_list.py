"""Each step returns its loss, and all of them are kept in a list until the end."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)


def step(x, y):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    optimizer.step()
    return loss


history = []
for epoch in range(2):
    for _ in range(20):
        x = torch.randn(24, 4)
        history.append(step(x, x[:, :1] * x[:, 1:2]))  # expect
mean = torch.stack(history).mean().item()
