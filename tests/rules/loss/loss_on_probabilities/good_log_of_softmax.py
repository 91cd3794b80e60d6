"""The logarithm of a softmax, a mixture of softmaxes, and their likelihood: all as it should be."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
experts = nn.ModuleList(nn.Linear(32, 5) for _ in range(3))
gate = nn.Linear(32, 3)
optimizer = torch.optim.Adam([*body.parameters(), *experts.parameters(), *gate.parameters()], lr=1e-3)
for _ in range(10):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    hidden = body(x)
    shares = torch.stack([F.softmax(expert(hidden), dim=-1) for expert in experts], dim=1)
    mixture = (F.softmax(gate(hidden), dim=-1).unsqueeze(-1) * shares).sum(1)
    loss = F.nll_loss(torch.log(mixture), y) + F.nll_loss(F.softmax(experts[0](hidden), dim=1).log(), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
