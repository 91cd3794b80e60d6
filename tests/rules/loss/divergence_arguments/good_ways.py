"""Distillation at a temperature, logarithms as targets, a sparsity penalty of single units, both directions."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
temperature = 3.0
teacher = nn.Linear(8, 5).requires_grad_(False)
student = nn.Sequential(nn.Linear(8, 32), nn.Sigmoid(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
rho = torch.full((32,), 0.1)
for _ in range(10):
    x = torch.randn(32, 8)
    hidden = student[1](student[0](x))
    logs = F.log_softmax(student[2](hidden) / temperature, dim=-1)
    soft = F.log_softmax(teacher(x) / temperature, dim=-1)
    loss = temperature ** 2 * F.kl_div(logs, soft.exp(), reduction="batchmean")
    loss = loss + F.kl_div(logs, soft, log_target=True, reduction="sum") / 32
    loss = loss + 0.1 * F.kl_div(soft, logs, log_target=True, reduction="batchmean")
    active = hidden.mean(0)
    sparse = F.kl_div(active.log(), rho, reduction="sum") + F.kl_div((1 - active).log(), 1 - rho, reduction="sum")
    optimizer.zero_grad()
    (loss + 0.01 * sparse).backward()
    optimizer.step()
