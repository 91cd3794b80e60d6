"""The probability to keep a unit is given as that of dropping it."""

import torch
from torch import nn

torch.manual_seed(5)
KEEP = 0.9
x = torch.randn(150, 6)
y = x[:, :1].abs()
layers = [nn.Linear(6, 32), nn.ReLU(), nn.Dropout(KEEP), nn.Linear(32, 1)]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.act, self.drop, self.last = layers

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.act(self.first(x))
        hidden = self.drop(hidden)  # expect
        return self.last(hidden)


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(150).split(30):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
