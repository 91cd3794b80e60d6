"""Distances between all pairs, a kernel between samples, a ranking of pairs, and a full matrix of targets."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
rows, columns = nn.Parameter(torch.randn(24, 2)), nn.Parameter(torch.randn(24, 2))
optimizer = torch.optim.Adam([*net.parameters(), rows, columns], lr=0.01)
ratings = torch.randn(24, 24)
for _ in range(8):
    x = torch.randn(24, 4)
    y = x[:, 0] * x[:, 1]
    scores = net(x).squeeze(1)
    pairs = torch.relu(1 - (scores[:, None] - scores[None]) * torch.sign(y[:, None] - y[None])).mean()
    kernel = torch.exp(-(scores.unsqueeze(1) - scores.unsqueeze(0)).pow(2)).mean()
    between = torch.exp(-(scores.unsqueeze(1) - y.unsqueeze(0)).pow(2)).mean()
    matrix = ((rows @ columns.T - ratings) ** 2).mean()
    fit = (scores - y).pow(2).mean().sqrt() + ((net(x) - y[:, None]) ** 2).mean()
    loss = fit + 0.1 * (pairs + kernel - 2 * between) + matrix
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
