"""A body stays in evaluation mode while its head is trained; the whole is in training mode."""

import torch
from torch import nn

torch.manual_seed(14)
x = torch.randn(150, 6)
y = x[:, :1].abs()
body = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU())
model = nn.Sequential(body, nn.Dropout(0.1), nn.Linear(16, 1))


def fit(parameters: list[nn.Parameter], *, frozen: bool) -> None:
    optimizer = torch.optim.Adam(parameters, lr=5e-3)
    for _ in range(3):
        model.train()
        body.train(not frozen)
        for rows in torch.randperm(120).split(30):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            nn.functional.mse_loss(model(x[120:]), y[120:]).item()


fit(list(model.parameters()), frozen=False)
body.requires_grad_(False)
fit(list(model[2].parameters()), frozen=True)
