"""A projection is made once."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(5, 16)
        self.head = nn.Linear(16, 3)
        self.project = nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.embed(x))
        project = self.project
        return self.head(torch.relu(project(h)))


x = torch.randn(200, 5)
y = x[:, :3].argmax(1)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(4):
    for rows in torch.randperm(200).split(40):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
