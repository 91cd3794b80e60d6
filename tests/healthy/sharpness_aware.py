"""Sharpness-aware minimisation: two backward passes a step, the weights moved up and back in between."""

import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self):
        norm = torch.norm(
            torch.stack([p.grad.norm(2) for g in self.param_groups for p in g["params"] if p.grad is not None])
        )
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.state[p]["old"] = p.data.clone()
                    p.add_(p.grad * group["rho"] / (norm + 1e-12))
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data = self.state[p]["old"]
        self.base_optimizer.step()
        self.zero_grad()


torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = SAM(model.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for _ in range(4):
    for rows in torch.randperm(256).split(32):
        criterion(model(x[rows]), y[rows]).backward()
        optimizer.first_step()
        criterion(model(x[rows]), y[rows]).backward()
        optimizer.second_step()
with torch.no_grad():
    print((model(x[256:]).argmax(1) == y[256:]).float().mean().item())
