"""The hidden layers follow on each other with no activation between."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 32)
        self.second = nn.Linear(32, 32)
        self.last = nn.Linear(32, 5)

    def forward(self, x):
        x = self.first(x)
        x = self.second(x)  # expect
        return self.last(x)


torch.manual_seed(0)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(10):
    x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
