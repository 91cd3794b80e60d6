"""Weights that are 1 rightly: one expert of several that a size could give, one key, and one density of a mixture."""

import torch
import torch.nn.functional as F
from torch import nn

EXPERTS = 1


class Experts(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, EXPERTS)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(EXPERTS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gates = torch.softmax(self.gate(x), dim=-1)
        made = torch.stack([expert(x) for expert in self.experts], dim=-2)
        return (gates.unsqueeze(-1) * made).sum(-2)


class Told(nn.Module):
    """Steps that attend to what they are told, which is one vector here, and become a mixture of densities."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.enter, self.experts = nn.Linear(2, width), Experts(width)
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.tell = nn.Embedding(3, width)
        self.share, self.mean = nn.Linear(width, EXPERTS), nn.Linear(width, EXPERTS)

    def forward(self, x: torch.Tensor, kind: torch.Tensor) -> torch.Tensor:
        h, told = self.experts(torch.relu(self.enter(x))), self.tell(kind)[:, None]
        weights = torch.softmax(self.query(h) @ self.key(told).mT / 8**0.5, dim=-1)
        h = h + weights @ self.value(told)
        return (torch.softmax(self.share(h), -1) * self.mean(h)).sum(-1)


torch.manual_seed(6)
x, kind = torch.randn(160, 6, 2), torch.randint(0, 3, (160,))
y = torch.tanh(x.sum(-1)) + 0.5 * kind[:, None] + 0.1 * torch.randn(160, 6)
model = Told()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    for rows in torch.randperm(160).split(40):
        optimizer.zero_grad()
        F.mse_loss(model(x[rows], kind[rows]), y[rows]).backward()
        optimizer.step()
