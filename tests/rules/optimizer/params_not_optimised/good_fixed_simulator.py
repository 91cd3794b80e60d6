"""A policy is trained through a simulator that is a random network and stays one."""

import torch
from torch import nn

torch.manual_seed(13)

simulator = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 4))
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
for _ in range(15):
    state = torch.randn(32, 4)
    ahead = simulator(torch.cat([state, policy(state)], 1))
    loss = (ahead**2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
