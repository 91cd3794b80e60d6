"""A generator with batch norm is sampled in training mode, and its samples are shown to the critic."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(19)
real = torch.randn(256, 2) * 0.5 + 2
maker = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
making = torch.optim.Adam(maker.parameters(), lr=1e-3, betas=(0.5, 0.999))
judging = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))
ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)
for _ in range(6):
    with torch.no_grad():
        fakes = maker(torch.randn(64, 4))
    judging.zero_grad()
    batch = real[torch.randint(256, (64,))]
    judged = F.binary_cross_entropy_with_logits(critic(batch), ones)
    (judged + F.binary_cross_entropy_with_logits(critic(fakes), zeros)).backward()
    judging.step()
    making.zero_grad()
    F.binary_cross_entropy_with_logits(critic(maker(torch.randn(64, 4))), ones).backward()
    making.step()
with torch.no_grad():
    maker(torch.randn(8, 4)).numpy()
