"""A trained model is frozen whole, and a prompt in front of it is learned."""

import torch
from torch import nn


class Prompted(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.prompt = nn.Parameter(torch.zeros(8))
        self.model = model

    def forward(self, x):
        return self.model(x + self.prompt)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 3))
first = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(20):
    x = torch.randn(32, 8)
    first.zero_grad()
    nn.functional.cross_entropy(model(x), x[:, :3].argmax(1)).backward()
    first.step()
prompted = Prompted(model.requires_grad_(False))
second = torch.optim.Adam([prompted.prompt], lr=1e-2)
for _ in range(20):
    x = torch.randn(32, 8) - 0.5
    second.zero_grad()
    nn.functional.cross_entropy(prompted(x), x[:, :3].argmax(1)).backward()
    second.step()
