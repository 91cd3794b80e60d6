"""The members of an ensemble are one network."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)


class Ensemble(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        member = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
        members = [member for _ in range(size)]
        self.members = nn.ModuleList(members)  # expect

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.stack([member(x).squeeze(1) for member in self.members])


x = torch.randn(160, 4)
y = x[:, 0] - x[:, 1]
ensemble = Ensemble(3)
optimizer = torch.optim.SGD(ensemble.parameters(), lr=0.02)
for _ in range(15):
    rows = torch.randperm(160)[:40]
    predicted = ensemble(x[rows])
    loss = F.mse_loss(predicted, y[rows].expand_as(predicted))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
