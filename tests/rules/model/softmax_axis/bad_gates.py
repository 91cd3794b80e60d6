"""A mixture's gate gives each expert's share by a softmax module that was made for the wrong axis."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mixture(nn.Module):
    def __init__(self, experts: int = 3) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(5, 1) for _ in range(experts))
        self.gate = nn.Linear(5, experts)
        self.share = nn.Softmax(dim=0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shares = self.share(self.gate(x))  # expect
        answers = torch.cat([expert(x) for expert in self.experts], dim=1)
        return (shares * answers).sum(1)


torch.manual_seed(2)
x = torch.randn(120, 5)
y = torch.where(x[:, 0] > 0, x[:, 1], -x[:, 2])
mixture = Mixture()
optimizer = torch.optim.Adam(mixture.parameters(), lr=1e-2)
for _ in range(3):
    for inputs, targets in DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(mixture(inputs), targets).backward()
        optimizer.step()
