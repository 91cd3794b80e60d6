"""One function runs both kinds of epochs; evaluation leaves the model in its mode."""

import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 20), nn.ReLU())
        self.drop = nn.Dropout(0.3)
        self.head = nn.Linear(20, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.body(x)))


def run(model: Tagger, rows: torch.Tensor, optimizer: torch.optim.Optimizer | None = None) -> float:
    if optimizer is None:
        model.eval()
    total = 0.0
    with torch.set_grad_enabled(optimizer is not None):
        for part in rows.split(20):
            loss = F.cross_entropy(model(x[part]), y[part])  # expect
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item()
    return total


torch.manual_seed(4)
x = torch.randn(160, 6)
y = x[:, :3].argmax(1)
tagger = Tagger()
adam = torch.optim.Adam(tagger.parameters(), lr=5e-3)
for _ in range(3):
    run(tagger, torch.randperm(120), adam)
    run(tagger, torch.arange(120, 160))
