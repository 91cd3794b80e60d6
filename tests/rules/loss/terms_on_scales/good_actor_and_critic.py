"""A summed policy term beside a mean value term: neither is a penalty on what the other is made of."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)
shared, actor, critic = nn.Linear(6, 32), nn.Linear(32, 2), nn.Linear(32, 1)
opt = torch.optim.Adam([p for part in (shared, actor, critic) for p in part.parameters()], lr=1e-3)
for _ in range(12):
    states = torch.randn(128, 6)
    hidden = torch.tanh(shared(states))
    policy = torch.distributions.Normal(actor(hidden), 0.5)
    actions = policy.sample()
    rewards = -(actions - states[:, :2]).pow(2).sum(1)
    values = critic(hidden).squeeze(1)
    gains = rewards - values.detach()
    chosen = -(policy.log_prob(actions).sum(1) * gains).sum()
    loss = chosen + F.mse_loss(values, rewards)
    opt.zero_grad()
    loss.backward()
    opt.step()
