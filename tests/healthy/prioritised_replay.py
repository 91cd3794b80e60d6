"""A DQN in the usual style: epsilon-greedy rollouts, a replay buffer, importance weights, a hard-updated target."""

import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)


class QNetwork(nn.Module):
    def __init__(self, state_size=4, actions=2):
        super().__init__()
        self.fc1 = nn.Linear(state_size, 32)
        self.value, self.advantage = nn.Linear(32, 1), nn.Linear(32, actions)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        value, advantage = self.value(x), self.advantage(x)
        return value + advantage - advantage.mean(1, keepdim=True)


class Agent:
    def __init__(self):
        self.local, self.target = QNetwork(), QNetwork()
        self.target.load_state_dict(self.local.state_dict())
        self.optimizer = torch.optim.Adam(self.local.parameters(), lr=5e-4)
        self.memory, self.steps = deque(maxlen=1000), 0

    def act(self, state, eps):
        state = torch.from_numpy(state).float().unsqueeze(0)
        self.local.eval()
        with torch.no_grad():
            values = self.local(state)
        self.local.train()
        return random.randrange(2) if random.random() < eps else int(values.argmax(1))

    def step(self, *transition):
        self.memory.append(transition)
        self.steps += 1
        if self.steps % 4 == 0 and len(self.memory) >= 32:
            self.learn(random.sample(self.memory, 32))

    def learn(self, batch):
        s, a, r, s2, done = (torch.tensor(np.array(part)).float() for part in zip(*batch, strict=True))
        with torch.no_grad():
            best = self.local(s2).argmax(1, keepdim=True)
            target = r.unsqueeze(1) + 0.99 * self.target(s2).gather(1, best) * (1 - done.unsqueeze(1))
        expected = self.local(s).gather(1, a.long().unsqueeze(1))
        weights = torch.ones(len(s), 1)
        loss = (weights * F.smooth_l1_loss(expected, target, reduction="none")).mean()
        self.optimizer.zero_grad()
        loss.backward()
        for param in self.local.parameters():
            param.grad.data.clamp_(-1, 1)
        self.optimizer.step()
        for t, p in zip(self.target.parameters(), self.local.parameters(), strict=True):
            t.data.copy_(1e-2 * p.data + (1 - 1e-2) * t.data)


agent, eps = Agent(), 1.0
for episode in range(12):
    state = np.random.uniform(-1, 1, 4)
    for t in range(20):
        action = agent.act(state, eps)
        following = np.clip(state + (0.1 if action else -0.1), -1, 1)
        agent.step(state, action, -abs(following.sum()), following, float(t == 19))
        state = following
    eps = max(0.1, eps * 0.9)
