"""Predictions are counted batch by batch while functional dropout follows a mode that nobody switches."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(10, 32), nn.Linear(32, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.dropout(torch.relu(self.first(x)), 0.4, training=self.training)
        return self.second(hidden)


x = torch.randn(200, 10)
y = x[:, :3].argmax(1)
train = DataLoader(TensorDataset(x[:150], y[:150]), batch_size=25, shuffle=True)
held = DataLoader(TensorDataset(x[150:], y[150:]), batch_size=25)
reader = Reader()
optimizer = torch.optim.Adam(reader.parameters(), lr=1e-2)
for _ in range(3):
    for batch, labels in train:
        optimizer.zero_grad()
        F.cross_entropy(reader(batch), labels).backward()
        optimizer.step()
    right = 0
    with torch.no_grad():
        for batch, labels in held:
            _, predicted = torch.max(reader(batch).data, 1)  # expect
            right += (predicted == labels).sum().item()
