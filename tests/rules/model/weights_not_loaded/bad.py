"""The pretrained names carry a prefix that the model's don't: a lenient load skips them all."""

import torch
from torch import nn

torch.manual_seed(0)
pretrained = nn.ModuleDict({"body": nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))})
file = {f"module.{name}": value.clone() for name, value in pretrained.state_dict().items()}
model = nn.ModuleDict({"body": nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))})
named = file
model.load_state_dict(named, strict=False)  # expect
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(6):
    x, y = torch.randn(16, 6), torch.randint(0, 3, (16,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model["body"](x), y).backward()
    optimizer.step()
