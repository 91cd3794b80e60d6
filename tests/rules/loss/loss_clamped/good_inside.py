"""PPO's ratio, a floor for the divergence, a hinge, and a Huber loss by hand: clamps inside a loss."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
policy, value = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 3)), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for _ in range(4):
    states, actions = torch.randn(48, 4), torch.randint(0, 3, (48, 1))
    returns = states[:, :1] + 2
    with torch.no_grad():
        before = F.log_softmax(policy(states), 1).gather(1, actions)
        advantage = returns - value(states)
    for _ in range(3):
        logs = F.log_softmax(policy(states), 1)
        ratio = (logs.gather(1, actions) - before).exp()
        gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
        error = (value(states) - returns).abs()
        near = error.clamp(max=1.0)
        huber = (0.5 * near ** 2 + (error - near)).mean()
        entropy = -(logs.exp() * logs).sum(1).mean()
        loss = -gain + huber + torch.clamp(entropy, min=0.5) + (1 - ratio).clamp(min=0).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
