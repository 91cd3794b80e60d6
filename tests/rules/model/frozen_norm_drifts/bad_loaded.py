"""A body with loaded weights is frozen; train() on the whole model puts its batch norms back in training mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_body() -> nn.Sequential:
    pooled = nn.AdaptiveAvgPool1d(4)
    return nn.Sequential(nn.Conv1d(1, 8, 3, bias=False), nn.BatchNorm1d(8), nn.ReLU(), pooled, nn.Flatten())


class Transfer(nn.Module):
    def __init__(self, weights: dict[str, torch.Tensor]) -> None:
        super().__init__()
        self.body, self.head = make_body(), nn.Linear(32, 2)
        self.body.load_state_dict(weights)
        for parameter in self.body.parameters():
            parameter.requires_grad = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))


torch.manual_seed(2)
model = Transfer(make_body().state_dict())
x = torch.randn(96, 1, 12)
y = (x[:, 0, :6].mean(1) > 0).long()
optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
for _ in range(2):
    model.train()
    for signals, labels in DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(signals), labels).backward()  # expect
        optimizer.step()
