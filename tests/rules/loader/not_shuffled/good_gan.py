"""A discriminator's labels are constant within each call, ones and zeros by turns."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
real = DataLoader(TensorDataset(torch.randn(128, 2) * 0.5 + 1), batch_size=16, shuffle=True)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
for_generator = torch.optim.Adam(generator.parameters(), lr=1e-3)
for_critic = torch.optim.Adam(critic.parameters(), lr=1e-3)


def verdict(points, label):
    return nn.functional.binary_cross_entropy_with_logits(critic(points), torch.full((len(points), 1), label))


for _ in range(4):
    for (points,) in real:
        for_critic.zero_grad()
        fakes = generator(torch.randn(len(points), 4))
        (verdict(points, 1.0) + verdict(fakes.detach(), 0.0)).backward()
        for_critic.step()
        for_generator.zero_grad()
        verdict(fakes, 1.0).backward()
        for_generator.step()
