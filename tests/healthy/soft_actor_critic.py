"""Soft actor-critic: two critics, their slow copies, a squashed Gaussian policy, a learned temperature, three
optimizers; the actor's loss goes through the critics, whose gradients from it are cleared before their own."""

import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, outputs))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(3, 2)

    def forward(self, state):
        mean, log_std = self.net(state).chunk(2, -1)
        normal = torch.distributions.Normal(mean, log_std.clamp(-5, 2).exp())
        raw = normal.rsample()
        action = torch.tanh(raw)
        logp = (normal.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)).sum(-1)
        return action, logp


actor, critics = Actor(), nn.ModuleList([mlp(4, 1), mlp(4, 1)])
targets = copy.deepcopy(critics).requires_grad_(False)
log_alpha = torch.zeros(1, requires_grad=True)
actor_opt = torch.optim.Adam(actor.parameters(), lr=3e-4)
critic_opt = torch.optim.Adam(critics.parameters(), lr=3e-4)
alpha_opt = torch.optim.Adam([log_alpha], lr=3e-4)
buffer = []
state = rng.normal(size=3).astype(np.float32)
for step in range(120):
    with torch.no_grad():
        action = actor(torch.from_numpy(state)[None])[0][0].numpy()
    following = (0.9 * state + 0.1 * np.repeat(action, 3) + 0.01 * rng.normal(size=3)).astype(np.float32)
    buffer.append((state, action, np.float32(-np.abs(following).sum()), following))
    state = following if (step + 1) % 20 else rng.normal(size=3).astype(np.float32)
    if len(buffer) < 64 or step % 2:
        continue
    rows = rng.integers(0, len(buffer), 32)
    s, a, r, s2 = (torch.from_numpy(np.stack([buffer[i][k] for i in rows])) for k in range(4))
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, logp2 = actor(s2)
        q2 = torch.min(*(critic(torch.cat([s2, a2], 1)) for critic in targets)).squeeze(1)
        backup = r + 0.99 * (q2 - alpha * logp2)
    critic_loss = sum(F.mse_loss(critic(torch.cat([s, a], 1)).squeeze(1), backup) for critic in critics)
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    pi, logp = actor(s)
    actor_loss = (alpha * logp - torch.min(*(critic(torch.cat([s, pi], 1)) for critic in critics)).squeeze(1)).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    alpha_loss = -(log_alpha * (logp + 1).detach()).mean()
    alpha_opt.zero_grad()
    alpha_loss.backward()
    alpha_opt.step()
    with torch.no_grad():
        for target, critic in zip(targets.parameters(), critics.parameters(), strict=True):
            target.mul_(0.995).add_(0.005 * critic)
