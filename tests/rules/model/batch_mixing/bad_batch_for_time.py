"""A recurrent layer that expects (step, example, feature) is given (example, step, feature)."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.GRU(3, 12)
        self.out = nn.Linear(12, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:  # x is (example, step, feature)
        states, _ = self.cells(x)  # expect
        return self.out(states[:, -1])


torch.manual_seed(2)
x = torch.randn(96, 9, 3)
y = (x[:, :, 1].mean(1) > 0).long()
reader = Reader()
optimizer = torch.optim.Adam(reader.parameters(), lr=1e-2)
for _ in range(3):
    for inputs, labels in DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(reader(inputs), labels).backward()
        optimizer.step()
