"""A dropout layer is made anew in every forward pass: eval() can't reach it."""

import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(5, 20), nn.Linear(20, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = nn.Dropout(0.3)(self.one(x).relu())  # expect
        return self.two(hidden)


torch.manual_seed(2)
x = torch.randn(160, 5)
y = x[:, :4].argmax(1)
scorer = Scorer()
optimizer = torch.optim.Adam(scorer.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for _ in range(3):
    scorer.train()
    for rows in torch.randperm(120).split(30):
        optimizer.zero_grad()
        criterion(scorer(x[rows]), y[rows]).backward()
        optimizer.step()
    scorer.eval()
    with torch.no_grad():
        (scorer(x[120:]).argmax(1) == y[120:]).float().mean().item()
