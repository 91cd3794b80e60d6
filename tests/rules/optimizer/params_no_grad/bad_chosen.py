"""A router whose choice is an argmax: nothing tells it how well it chose."""

import torch
from torch import nn

torch.manual_seed(0)


class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(8, 2)
        self.experts = nn.ModuleList([nn.Linear(8, 3), nn.Linear(8, 3)])

    def forward(self, x):
        chosen = self.router(x).argmax(1)
        return torch.stack([expert(x) for expert in self.experts], 1)[torch.arange(len(x)), chosen]


model = Routed()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    model.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
