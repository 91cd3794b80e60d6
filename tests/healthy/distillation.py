"""Distillation: the teacher's softmax is the target, both at a temperature, beside the labels' own loss."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 5)).eval()
student = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 5))
optimizer = torch.optim.Adam(student.parameters(), lr=1e-2)
temperature = 3.0
for _ in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    with torch.no_grad():
        soft = F.softmax(teacher(x) / temperature, dim=1)
    scores = student(x)
    loss = F.kl_div(F.log_softmax(scores / temperature, dim=1), soft, reduction="batchmean") * temperature**2
    loss = 0.7 * loss + 0.3 * F.cross_entropy(scores, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
