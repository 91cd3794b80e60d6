"""Attention's own dropout is given as a number, whatever the mode."""

import torch
import torch.nn.functional as F
from torch import nn


class Attending(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.keys, self.out = nn.Linear(4, 12), nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = self.keys(x).chunk(3, dim=-1)
        mixed = F.scaled_dot_product_attention(query, key, value, dropout_p=0.2)  # expect
        return self.out(mixed.mean(1))


torch.manual_seed(3)
x = torch.randn(120, 7, 4)
y = (x[:, :, 0].sum(1) > 0).long()
model = Attending()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    model.train()
    for rows in torch.randperm(90).split(30):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        F.cross_entropy(model(x[90:]), y[90:]).item()
