"""A recurrent layer's (step, example, unit) output is laid out anew by view where axes should be swapped."""

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells, self.out = nn.LSTM(3, 10), nn.Linear(10, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:  # x is (example, step, feature)
        examples, steps = x.shape[:2]
        states, _ = self.cells(x.transpose(0, 1).contiguous())
        states = states.contiguous().view(examples, steps, 10)  # expect
        return self.out(states[:, -1]).squeeze(1)


torch.manual_seed(1)
x = torch.randn(96, 6, 3)
y = x[:, :, 0].sum(1).tanh()
reader = Reader()
optimizer = torch.optim.Adam(reader.parameters(), lr=1e-2)
for _ in range(3):
    for rows in torch.randperm(96).split(24):
        optimizer.zero_grad()
        nn.functional.mse_loss(reader(x[rows]), y[rows]).backward()
        optimizer.step()
