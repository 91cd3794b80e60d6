"""A policy follows the log-probability of what it did, times how well it went."""

import torch
from torch import nn

torch.manual_seed(2)
policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for _ in range(12):
    state = torch.randn(32, 3)
    scores = policy(state)
    action = torch.distributions.Categorical(logits=scores).sample()
    reward = (action == (state[:, 0] > 0)).float() - 0.5
    log_probability = -nn.functional.cross_entropy(scores, action, reduction="none")
    optimizer.zero_grad()
    (-(log_probability * reward).mean()).backward()
    optimizer.step()
