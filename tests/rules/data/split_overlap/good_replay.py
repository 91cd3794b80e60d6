"""Values of next states come from the same network, whose states were and will be trained on: no evaluation."""

import random

import torch
from torch import nn

random.seed(5)
torch.manual_seed(5)
values = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(values.parameters(), lr=1e-3)
memory, state = [], torch.randn(3)
for _ in range(220):
    with torch.no_grad():
        action = int(values(state.unsqueeze(0)).argmax()) if random.random() > 0.2 else random.randrange(2)
    following = 0.9 * state + 0.1 * torch.randn(3) + (0.1 if action else -0.1)
    memory.append((state, action, float(-following.abs().sum()), following))
    state = following
    if len(memory) < 64:
        continue
    states, actions, rewards, nexts = zip(*random.sample(memory, 32), strict=True)
    with torch.no_grad():
        target = torch.tensor(rewards) + 0.9 * values(torch.stack(nexts)).max(1).values
    chosen = values(torch.stack(states)).gather(1, torch.tensor(actions).unsqueeze(1)).squeeze(1)
    optimizer.zero_grad()
    nn.functional.smooth_l1_loss(chosen, target).backward()
    optimizer.step()
