"""A class keeps the average; nobody calls its update."""

import copy

import torch
from torch import nn


class ModelEma:
    def __init__(self, model, decay=0.95):
        self.module = copy.deepcopy(model)  # expect
        self.module.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for mine, its in zip(self.module.parameters(), model.parameters()):
            mine.data.lerp_(its.data, 1 - self.decay)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)


torch.manual_seed(2)
x = torch.randn(224, 4)
y = x[:, 0] * 2 - x[:, 1]
model = Regressor()
ema = ModelEma(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    for rows in torch.randperm(192).split(32):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
ema.module.eval()
with torch.no_grad():
    print("ema", nn.functional.mse_loss(ema.module(x[192:]), y[192:]).item())
