"""A momentum encoder is kept in a dictionary and averaged by hand at each step."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(9)


class Pairs(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.online = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8))
        self.predict = nn.Linear(8, 8)
        self.kept = {"momentum": copy.deepcopy(self.online), "start": copy.deepcopy(self.online)}

    def forward(self, one: torch.Tensor, other: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.predict(self.online(one)), self.kept["momentum"](other)

    def average(self) -> None:
        for slow, fast in zip(self.kept["momentum"].parameters(), self.online.parameters(), strict=True):
            slow.data.mul_(0.95).add_(fast.data, alpha=0.05)


x = torch.randn(200, 6)
model = Pairs()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(15):
    rows = torch.randperm(200)[:50]
    first, second = (x[rows] + 0.1 * torch.randn(50, 6) for _ in range(2))
    predicted, wanted = model(first, second)
    loss = 1 - F.cosine_similarity(predicted, wanted.detach(), dim=1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.average()
