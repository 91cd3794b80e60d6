"""Each generation of students becomes the teacher of the next, which is a new model; the first has none."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(7)

x = torch.randn(160, 5)
y = (x[:, 0] > 0).long()
teacher = None
for _ in range(2):
    student = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(student.parameters(), lr=5e-3)
    for rows in torch.randperm(160).repeat(2).split(40):
        scores = student(x[rows])
        loss = F.cross_entropy(scores, y[rows])
        if teacher is not None:
            with torch.no_grad():
                guidance = F.softmax(teacher(x[rows]), 1)
            loss = loss + F.kl_div(F.log_softmax(scores, 1), guidance, reduction="batchmean")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    teacher = student
