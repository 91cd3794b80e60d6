"""The outputs pass through NumPy; only a quantity that nobody optimises has a gradient."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
scale = torch.ones(1, requires_grad=True)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(12):
    x = torch.randn(24, 4)
    prediction = torch.from_numpy(net(x).detach().numpy())
    loss = (scale * prediction - x[:, :1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()  # expect
    optimizer.step()
