"""The weights of the lowest accuracy are kept as the best."""

import copy

import torch
from torch import nn


class Best:
    def __init__(self):
        self.best_f1, self.weights = 1.0, None

    def see(self, f1, model):
        if f1 < self.best_f1:  # expect
            self.best_f1 = f1
            self.weights = copy.deepcopy(model.state_dict())


def f1_of(found, wanted):
    hits = (found * wanted).sum()
    return (2 * hits / (found.sum() + wanted.sum()).clamp(min=1)).item()


torch.manual_seed(2)
x = torch.randn(100, 4)
y = (x[:, 0] > 0.2).float()
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
best = Best()
for _ in range(10):
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(model(x[:60])[:, 0], y[:60]).backward()
    optimizer.step()
    with torch.no_grad():
        best.see(f1_of((model(x[60:])[:, 0] > 0).float(), y[60:]), model)
model.load_state_dict(best.weights)
