"""A student keeps its teacher in a list on purpose, so that the teacher is neither trained nor saved with it."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(6)


class Student(nn.Module):
    def __init__(self, teachers: list[nn.Module]) -> None:
        super().__init__()
        self.net = nn.Linear(5, 3)
        self.teachers = teachers

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.no_grad():
            guidance = torch.stack([teacher(x) for teacher in self.teachers]).mean(0)
        return self.net(x), guidance


def fit(net: nn.Module, x: torch.Tensor, y: torch.Tensor) -> nn.Module:
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(10):
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
    return net


x = torch.randn(180, 5)
y = x[:, :3].argmax(1)
teachers = [fit(nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 3)), x, y) for _ in range(2)]
student = Student(teachers)
optimizer = torch.optim.Adam(student.parameters(), lr=0.01)
for _ in range(15):
    rows = torch.randperm(180)[:60]
    scores, guidance = student(x[rows])
    loss = F.kl_div(F.log_softmax(scores, 1), F.softmax(guidance, 1), reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
