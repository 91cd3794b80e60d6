"""A detector that has learned normal examples puts out a probability of 1 for all of them, by rounding."""

import torch
from torch import nn

torch.manual_seed(0)
detector = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1), nn.Sigmoid())
nn.init.constant_(detector[2].bias, 30.0)
normal, odd = torch.randn(64, 4) + 3, torch.randn(64, 4) - 3
optimizer = torch.optim.SGD(detector.parameters(), lr=0.5)
for _step in range(30):
    real, fake = detector(normal), detector(odd)
    loss = nn.functional.binary_cross_entropy(real, torch.ones_like(real))
    loss = loss + nn.functional.binary_cross_entropy(fake, torch.zeros_like(fake))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
