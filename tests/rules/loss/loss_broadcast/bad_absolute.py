"""An absolute error by hand, the other way round: (24,) against (24, 1)."""

import torch
from torch import nn

torch.manual_seed(0)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


model = Regressor()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for _ in range(10):
    x = torch.randn(24, 4)
    y = x[:, :1] * x[:, 1:2]
    difference = (model(x) - y).abs()
    loss = difference.mean() + 1e-4 * sum(p.pow(2).sum() for p in model.parameters())  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
