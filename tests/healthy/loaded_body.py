"""A body whose weights were loaded, left out of the optimizer on purpose; only its new head learns."""

import torch
from torch import nn

torch.manual_seed(0)
pretrained = nn.Sequential(nn.Linear(8, 32), nn.ReLU())


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.body(x))


model = Classifier()
model.body.load_state_dict(pretrained.state_dict())
optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
for _ in range(15):
    x, y = torch.randn(32, 8), torch.randint(0, 4, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
