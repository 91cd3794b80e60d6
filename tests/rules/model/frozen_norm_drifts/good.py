"""A trained body is frozen under a new head, and stays in evaluation mode."""

import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(160, 6) + 0.5
first, second = x[:, :1].sin(), x[:, 1:2] * x[:, 2:3]
body = nn.Sequential(nn.Linear(6, 24, bias=False), nn.BatchNorm1d(24), nn.ReLU())


def fit(head: nn.Linear, targets: torch.Tensor, *, frozen: bool) -> None:
    model = nn.Sequential(body, head)
    optimizer = torch.optim.Adam([each for each in model.parameters() if each.requires_grad], lr=5e-3)
    for _ in range(3):
        model.train()
        body.train(not frozen)
        for rows in torch.randperm(160).split(40):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[rows]), targets[rows]).backward()
            optimizer.step()


fit(nn.Linear(24, 1), first, frozen=False)
body.requires_grad_(False)
fit(nn.Linear(24, 1), second, frozen=True)
