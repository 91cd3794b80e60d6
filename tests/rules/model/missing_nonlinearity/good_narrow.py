"""A low-rank head, an adapter beside a frozen layer, a linear bottleneck, a projection before attention and a GRU."""

import torch
import torch.nn.functional as F
from torch import nn


class Adapted(nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.frozen = nn.Linear(width, width).requires_grad_(False)
        self.down, self.up = nn.Linear(width, rank, bias=False), nn.Linear(rank, width, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, x):
        return self.frozen(x) + self.up(self.down(x))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(6, 16)
        self.attend = nn.MultiheadAttention(16, 2, batch_first=True)
        self.recurrent = nn.GRU(16, 16, batch_first=True)
        self.adapted = Adapted(16, 2)
        self.head = nn.Sequential(nn.Linear(16, 3, bias=False), nn.Linear(3, 12))
        self.code, self.decode = nn.Linear(16, 4), nn.Linear(4, 6)

    def forward(self, x):
        projected = self.project(x)
        attended, _ = self.attend(projected, projected, projected, need_weights=False)
        states, _ = self.recurrent(self.adapted(torch.relu(projected + attended)))
        return self.head(torch.tanh(states[:, -1])), self.decode(self.code(states))


torch.manual_seed(0)
reader = Reader()
optimizer = torch.optim.Adam([p for p in reader.parameters() if p.requires_grad], lr=1e-3)
for _ in range(8):
    x, y = torch.randn(8, 5, 6), torch.randint(0, 12, (8,))
    scores, again = reader(x)
    optimizer.zero_grad()
    (F.cross_entropy(scores, y) + F.mse_loss(again, x)).backward()
    optimizer.step()
