"""A target network is handed the living weights at once; an average is kept in place in its own state dict."""

import copy

import torch
from torch import nn

torch.manual_seed(4)
online = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target, average = copy.deepcopy(online).requires_grad_(False), copy.deepcopy(online).requires_grad_(False)
optimizer = torch.optim.Adam(online.parameters(), lr=1e-2)
living = average.state_dict()
for step in range(40):
    state, reward = torch.randn(32, 4), torch.rand(32)
    action = torch.randint(0, 2, (32, 1))
    with torch.no_grad():
        aim = reward + 0.9 * target(torch.randn(32, 4)).max(1).values
    loss = nn.functional.smooth_l1_loss(online(state).gather(1, action).squeeze(1), aim)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for name, value in online.state_dict().items():
        living[name].mul_(0.9).add_(value, alpha=0.1)
    if step % 10 == 0:
        target.load_state_dict(online.state_dict())
average.load_state_dict(living)
