"""A convolutional net whose weights are drawn from a standard normal, so that each layer enlarges what it is given."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)


class Wide(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(1 if depth == 0 else 16, 16, 3, padding=1) for depth in range(7))
        self.out = nn.Linear(16, 1)
        for conv in self.convs:
            nn.init.normal_(conv.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for conv in self.convs:
            x = F.relu(conv(x))
        return self.out(x.mean(-1)).squeeze(1)


x = torch.randn(120, 1, 12)
y = x.mean((1, 2))
model = Wide()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
for _ in range(8):
    rows = torch.randperm(120)[:30]
    optimizer.zero_grad()
    loss = F.huber_loss(model(x[rows]), y[rows])  # expect
    loss.backward()
    optimizer.step()
