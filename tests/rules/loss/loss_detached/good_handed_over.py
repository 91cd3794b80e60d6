"""First-order meta-learning: a copy is trained for a step, and its gradients are handed to the original."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
original = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(original.parameters(), lr=1e-2)
for _ in range(8):
    height, shift = torch.rand(2) + 0.5
    learner = copy.deepcopy(original)
    for part in range(2):
        x = torch.randn(12, 1)
        learner.zero_grad()
        F.mse_loss(learner(x), height * torch.sin(x + shift)).backward()
        if part == 0:
            with torch.no_grad():
                for weight in learner.parameters():
                    weight -= 0.05 * weight.grad
    for weight, learnt in zip(original.parameters(), learner.parameters(), strict=True):
        weight.grad = learnt.grad.clone()
    optimizer.step()
