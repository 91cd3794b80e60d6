"""A policy's log-probabilities, weighed by what came of the actions, and a log-density of a generative classifier."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 3))
means = nn.Parameter(torch.randn(3, 4))
optimizer = torch.optim.Adam([*policy.parameters(), means], lr=1e-2)
for _ in range(10):
    states = torch.randn(48, 4)
    logs = F.log_softmax(policy(states), dim=-1)
    actions = torch.multinomial(logs.detach().exp(), 1).squeeze(1)
    rewards = (actions == states[:, :3].argmax(1)).float()
    advantage = rewards - rewards.mean()
    densities = -0.5 * (states.unsqueeze(1) - means).pow(2).sum(-1)
    loss = F.nll_loss(logs * advantage.unsqueeze(1), actions) + F.nll_loss(densities, states[:, :3].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
