"""A sparse autoencoder: most units rest for most rows, and each fires for some."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)


class Sparse(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encode, self.decode = nn.Linear(8, 32), nn.Linear(32, 8)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        code = F.relu(self.encode(x))
        return self.decode(code), code


x = torch.randn(300, 8) * (torch.rand(300, 8) < 0.4)
model = Sparse()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(4):
    for rows in torch.randperm(300).split(50):
        again, code = model(x[rows])
        loss = F.mse_loss(again, x[rows]) + 0.02 * code.abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
