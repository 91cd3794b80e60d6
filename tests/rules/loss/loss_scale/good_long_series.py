"""A long series goes through in five parts that hand on their state; the error of the whole is the sum of theirs."""

import torch
from torch import nn

torch.manual_seed(4)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(3, 16, batch_first=True)
        self.out = nn.Linear(16, 1)

    def forward(self, x, state):
        y, state = self.cell(x, state)
        return self.out(y), state


model = Reader()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(12):
    x = torch.randn(8, 50, 3)
    y = x.cumsum(1)[..., :1] / 5
    state = torch.zeros(1, 8, 16)
    optimizer.zero_grad()
    for part, wanted in zip(x.split(10, 1), y.split(10, 1), strict=True):
        out, state = model(part, state)
        nn.functional.mse_loss(out, wanted).backward()
        state = state.detach()
    optimizer.step()
