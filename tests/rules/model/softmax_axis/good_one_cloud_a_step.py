"""Each step sees one cloud of points, whose rows attend to each other and are labelled one by one."""

import torch
from torch import nn


class Segmenting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.each, self.out = nn.Linear(3, 12), nn.Linear(24, 2)

    def forward(self, points: torch.Tensor) -> torch.Tensor:  # (point, 3)
        hidden = torch.relu(self.each(points))
        shares = torch.softmax(hidden.sum(1), dim=0)
        whole = (shares[:, None] * hidden).sum(0, keepdim=True).expand_as(hidden)
        return self.out(torch.cat([hidden, whole], dim=1))


torch.manual_seed(4)
clouds = torch.randn(12, 40, 3) + torch.randn(12, 1, 3)
labels = (clouds[..., 0] > clouds[..., 0].mean(1, keepdim=True)).long()
model = Segmenting()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    for cloud in torch.randperm(12).tolist():
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(clouds[cloud]), labels[cloud]).backward()
        optimizer.step()
