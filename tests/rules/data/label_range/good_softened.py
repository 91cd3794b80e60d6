"""Real and generated examples have softened labels drawn around 1 and 0, a little beyond them too."""

import torch
from torch import nn

torch.manual_seed(3)
judge = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.BCEWithLogitsLoss()
judging = torch.optim.Adam(judge.parameters(), lr=1e-3)
making = torch.optim.Adam(maker.parameters(), lr=1e-3)
for _ in range(12):
    real = torch.randn(32, 2) * 0.5 + 1
    made = maker(torch.randn(32, 4))
    judging.zero_grad()
    loss = criterion(judge(real), 0.8 + 0.4 * torch.rand(32, 1))
    loss = loss + criterion(judge(made.detach()), 0.2 * torch.rand(32, 1))
    loss.backward()
    judging.step()
    making.zero_grad()
    criterion(judge(made), torch.ones(32, 1)).backward()
    making.step()
