"""A recurrent model of the next value of a series runs both ways; its steps lie along the first axis."""

import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.GRU(2, 12, bidirectional=True)
        self.out = nn.Linear(24, 2)

    def forward(self, series: torch.Tensor) -> torch.Tensor:  # (step, example, value)
        states, _ = self.cells(series)  # expect
        return self.out(states)


torch.manual_seed(2)
angle = torch.rand(1, 64) * 6 + torch.arange(16)[:, None] * (0.2 + 0.3 * torch.rand(1, 64))
series = torch.stack([angle.sin(), angle.cos()], dim=-1)
forecaster = Forecaster()
optimizer = torch.optim.Adam(forecaster.parameters(), lr=1e-2)
for _ in range(2):
    for columns in torch.randperm(64).split(16):
        forecast = forecaster(series[:-1, columns])
        optimizer.zero_grad()
        nn.functional.mse_loss(forecast, series[1:, columns]).backward()
        optimizer.step()
