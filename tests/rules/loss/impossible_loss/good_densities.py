"""Likelihoods of continuous distributions, weighed log-probabilities and rewards are negative now and then."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 5))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(12):
    x = torch.randn(48, 4)
    y = 0.05 * x[:, 0]
    mean, spread, scores = net(x).split([1, 1, 3], dim=1)
    likelihood = F.gaussian_nll_loss(mean.squeeze(1), y, F.softplus(spread.squeeze(1)) * 0.01 + 1e-4)
    logs = F.log_softmax(scores, dim=1)
    weights = torch.randn(48, 1)
    policy = F.nll_loss(logs * weights, torch.randint(0, 3, (48,)))
    loss = 0.01 * likelihood + policy
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
