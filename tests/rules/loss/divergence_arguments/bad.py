"""kl_div is given probabilities as its input."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
teacher = nn.Linear(8, 5).requires_grad_(False)
student = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
for _ in range(10):
    x = torch.randn(32, 8)
    soft = F.softmax(teacher(x), dim=-1)
    optimizer.zero_grad()
    loss = F.kl_div(F.softmax(student(x), dim=-1), soft, reduction="batchmean")  # expect
    loss.backward()
    optimizer.step()
