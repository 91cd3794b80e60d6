"""One score is squashed by a softmax, where a sigmoid belongs."""

import torch
from torch import nn

torch.manual_seed(1)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, x):
        return torch.softmax(self.inner(x), dim=1)


model = Judge()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    x = torch.randn(32, 3)
    y = (x[:, :1] > 0).float()
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy(model(x), y).backward()  # expect
    optimizer.step()
