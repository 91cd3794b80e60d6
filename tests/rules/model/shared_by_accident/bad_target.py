"""The target network of a Q-learner is the network itself."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(6)


class Agent:
    def __init__(self) -> None:
        self.online = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
        self.target = self.online  # expect
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=3e-3)

    def learn(self, state: torch.Tensor, action: torch.Tensor, reward: torch.Tensor, after: torch.Tensor) -> None:
        with torch.no_grad():
            wanted = reward + 0.9 * self.target(after).max(1).values
        loss = F.smooth_l1_loss(self.online(state).gather(1, action).squeeze(1), wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for step in range(20):
    state, after = torch.randn(32, 3), torch.randn(32, 3)
    action = torch.randint(2, (32, 1))
    agent.learn(state, action, state[:, 0] * (2 * action[:, 0] - 1), after)
    if step % 5 == 0:
        agent.target.load_state_dict(agent.online.state_dict())
