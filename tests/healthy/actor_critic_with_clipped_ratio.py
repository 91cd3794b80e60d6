"""Proximal policy optimisation on a toy environment: rollouts in training mode without gradients, a clamped ratio,
an entropy bonus, several passes over each rollout in minibatches."""

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

SEED = 1
np.random.seed(SEED)
torch.manual_seed(SEED)


class Corridor:
    def reset(self):
        self.at, self.time = 0.0, 0
        return np.array([self.at, 1.0], dtype=np.float32)

    def step(self, action):
        self.at += 0.2 if action == 1 else -0.2
        self.time += 1
        done = abs(self.at) >= 1 or self.time >= 20
        return np.array([self.at, 1.0], dtype=np.float32), float(self.at >= 1) - 0.01, done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.actor = nn.Linear(32, 2)
        self.critic = nn.Linear(32, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, state):
        h = self.body(state)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


env, net = Corridor(), ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
for update in range(6):
    states, actions, logps, rewards, dones, values = [], [], [], [], [], []
    state = env.reset()
    for _ in range(64):
        obs = torch.from_numpy(state)
        with torch.no_grad():
            dist, value = net(obs)
        action = dist.sample()
        state, reward, done = env.step(action.item())
        states.append(obs)
        actions.append(action)
        logps.append(dist.log_prob(action))
        rewards.append(reward)
        dones.append(done)
        values.append(value)
        if done:
            state = env.reset()
    returns, running = [], 0.0
    for reward, done in zip(reversed(rewards), reversed(dones), strict=True):
        running = reward + 0.99 * running * (1 - done)
        returns.insert(0, running)
    states, actions, old = torch.stack(states), torch.stack(actions), torch.stack(logps)
    returns, values = torch.tensor(returns), torch.stack(values)
    advantages = returns - values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(3):
        for rows in torch.randperm(64).split(16):
            dist, value = net(states[rows])
            ratio = torch.exp(dist.log_prob(actions[rows]) - old[rows])
            clipped = torch.clamp(ratio, 0.8, 1.2)
            policy_loss = -torch.min(ratio * advantages[rows], clipped * advantages[rows]).mean()
            value_loss = (value - returns[rows]).pow(2).mean()
            loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
