"""Value learning with a target network and an averaged copy, neither of which an optimizer holds."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
values = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target = copy.deepcopy(values)
average = torch.optim.swa_utils.AveragedModel(values, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
optimizer = torch.optim.RMSprop(values.parameters(), lr=1e-3)
for step in range(20):
    state, following = torch.randn(32, 4), torch.randn(32, 4)
    action, reward = torch.randint(0, 2, (32, 1)), torch.randn(32, 1)
    with torch.no_grad():
        wanted = reward + 0.9 * target(following).max(1, keepdim=True).values
    loss = nn.functional.smooth_l1_loss(values(state).gather(1, action), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.update_parameters(values)
    if step % 5 == 4:
        target.load_state_dict(values.state_dict())
