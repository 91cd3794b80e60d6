"""The last layer's scores are dropped at random before the loss sees them."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 24), nn.ReLU())
        self.head = nn.Linear(24, 3)
        self.drop = nn.Dropout(0.25)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(self.head(self.body(x)))  # expect


torch.manual_seed(4)
x = torch.randn(150, 8)
y = x[:, :3].argmax(1)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(150).split(30):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
