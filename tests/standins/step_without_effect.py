"""As in PyTorch 115607: after a step in which gradients were missing, a compiled step does nothing any more."""

import torch
from torch import nn


class Compiled(torch.optim.Adam):
    def step(self, closure=None):
        graph = [p for group in self.param_groups for p in group["params"] if p.grad is None]
        with torch.no_grad():
            for parameter in graph:
                parameter.sub_(0.0)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = Compiled(model.parameters(), lr=1e-2)
x = torch.randn(256, 6)
for _ in range(2):
    for rows in torch.randperm(256).split(96):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), x[rows, :1]).backward()
        optimizer.step()  # expect
