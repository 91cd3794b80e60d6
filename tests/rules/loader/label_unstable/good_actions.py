"""A policy is trained on the actions that it has sampled itself: another one for the same state each time."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(13)
states = torch.randn(120, 4)
best = (states[:, 0] > 0).long()
loader = DataLoader(TensorDataset(states, best), batch_size=20, shuffle=True)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for _ in range(4):
    for state, goal in loader:
        scores = policy(state)
        action = torch.distributions.Categorical(logits=scores).sample()
        gain = (action == goal).float() - 0.5
        loss = (gain * nn.functional.cross_entropy(scores, action, reduction="none")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
