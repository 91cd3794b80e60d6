"""A discriminator's two losses come from one line of a helper, one after the other, and add up."""

import torch
from torch import nn

torch.manual_seed(7)
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(), nn.Linear(16, 1))
maker = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
of_critic = torch.optim.SGD(critic.parameters(), lr=0.05)
of_maker = torch.optim.SGD(maker.parameters(), lr=0.05)
criterion = nn.BCEWithLogitsLoss()


def blame(points, real):
    criterion(critic(points), torch.full((len(points), 1), float(real))).backward()


for _ in range(16):
    points = torch.randn(32, 2) * 0.3 + 1
    of_critic.zero_grad()
    blame(points, True)
    blame(maker(torch.randn(32, 3)).detach(), False)
    of_critic.step()
    of_maker.zero_grad()
    blame(maker(torch.randn(32, 3)), True)
    of_maker.step()
