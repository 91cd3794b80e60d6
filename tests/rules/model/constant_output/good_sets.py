"""One output for a set of points, whatever their order: rows are exchanged, and nothing moves."""

import torch
from torch import Tensor, nn

torch.manual_seed(0)


class Cloud(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.point = nn.Sequential(nn.Linear(3, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, points: Tensor) -> Tensor:
        return self.head(self.point(points).amax(0))


model = Cloud()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(40):
    wide = step % 2
    cloud = torch.randn(30, 3) * (1.0 + 2.0 * wide)
    loss = nn.functional.cross_entropy(model(cloud)[None], torch.tensor([wide]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
