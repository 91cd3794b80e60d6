"""A GAN whose critic is frozen while the generator learns, and thawed again: its batch norm moves in both turns."""

import torch
from torch import nn

torch.manual_seed(0)
real = torch.randn(256, 6) + 1
generator = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 6))
critic = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
judging = torch.optim.Adam(critic.parameters(), lr=1e-3)
making = torch.optim.Adam(generator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
yes, no = torch.ones(64, 1), torch.zeros(64, 1)

for _step in range(24):
    critic.requires_grad_(requires_grad=True)
    fake = generator(torch.randn(64, 4))
    judging.zero_grad()
    batch = real[torch.randint(0, 256, (64,))]
    (criterion(critic(batch), yes) + criterion(critic(fake.detach()), no)).backward()
    judging.step()
    critic.requires_grad_(requires_grad=False)
    making.zero_grad()
    criterion(critic(fake), yes).backward()
    making.step()
