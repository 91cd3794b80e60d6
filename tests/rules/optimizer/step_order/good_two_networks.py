"""Two networks in turns: the judge's gradients of the maker's loss are cleared before the maker steps."""

import torch
from torch import nn

torch.manual_seed(0)
maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
judge = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
making = torch.optim.Adam(maker.parameters(), lr=1e-3)
judging = torch.optim.Adam(judge.parameters(), lr=1e-3)
bce = nn.functional.binary_cross_entropy_with_logits
for _ in range(20):
    real, made = torch.randn(32, 2) + 2, maker(torch.randn(32, 4))
    judging.zero_grad()
    loss = bce(judge(real), torch.ones(32, 1)) + bce(judge(made.detach()), torch.zeros(32, 1))
    loss.backward()
    nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
    judging.step()
    making.zero_grad()
    bce(judge(made), torch.ones(32, 1)).backward()
    judging.zero_grad()
    nn.utils.clip_grad_norm_(maker.parameters(), 1.0)
    making.step()
