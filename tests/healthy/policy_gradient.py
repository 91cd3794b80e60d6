"""REINFORCE: the softmax is the policy, its logarithm the loss, and the loss need not fall."""

import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
worth = torch.tensor([0.1, 0.5, 0.2, 0.9])
for _ in range(20):
    choice = torch.distributions.Categorical(probs=torch.softmax(policy(torch.randn(32, 3)), dim=1))
    action = choice.sample()
    reward = worth[action] + 0.1 * torch.randn(32)
    loss = -(choice.log_prob(action) * (reward - reward.mean())).mean() - 0.01 * choice.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
