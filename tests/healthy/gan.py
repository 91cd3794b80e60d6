"""A GAN: the generator's backward pass fills the discriminator's gradients, which are cleared before their own use."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
for_generator = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
for_critic = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)

for _ in range(20):
    real = torch.randn(32, 2) * 0.5 + 1
    fake = generator(torch.randn(32, 4))
    for_critic.zero_grad()
    loss = F.binary_cross_entropy_with_logits(critic(real), ones)
    loss = loss + F.binary_cross_entropy_with_logits(critic(fake.detach()), zeros)
    loss.backward()
    for_critic.step()
    for_generator.zero_grad()
    F.binary_cross_entropy_with_logits(critic(fake), ones).backward()
    for_generator.step()
