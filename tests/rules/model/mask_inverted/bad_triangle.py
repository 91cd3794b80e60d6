"""A triangle that is true at what lies before goes to attention that ignores what is true."""

import torch
from torch import Tensor, nn

torch.manual_seed(0)


class Summary(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.head = nn.Linear(8, 1)

    def forward(self, series: Tensor) -> Tensor:
        seen = torch.ones(10, 10).tril().bool()
        mixed, _ = self.attention(series, series, series, attn_mask=seen)  # expect
        return self.head(mixed[:, :-1]).mean(1).squeeze(1)


series = torch.randn(64, 10, 8)
targets = series[:, :5].mean((1, 2))
model = Summary()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(10):
    rows = torch.arange(16) + 16 * (step % 4)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(series[rows]), targets[rows]).backward()
    optimizer.step()
