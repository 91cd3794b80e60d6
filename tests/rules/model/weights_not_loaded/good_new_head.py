"""A backbone with a new head, a decoder left behind, an adapter by itself: each leaves one side complete."""

import torch
from torch import nn

torch.manual_seed(2)
decoder = nn.Sequential(nn.Linear(8, 7), nn.ReLU(), nn.Linear(7, 6))
auto = nn.ModuleDict({"encoder": nn.Linear(6, 8), "decoder": decoder})
classifier = nn.ModuleDict({"encoder": nn.Linear(6, 8), "head": nn.Linear(8, 2)})
classifier.load_state_dict(auto.state_dict(), strict=False)
adapter = {name: value.clone() for name, value in classifier.state_dict().items() if name.startswith("head")}
classifier.load_state_dict(adapter, strict=False)
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.05)
for _ in range(6):
    x, y = torch.randn(24, 6), torch.randint(0, 2, (24,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(classifier["head"](classifier["encoder"](x).relu()), y).backward()
    optimizer.step()
