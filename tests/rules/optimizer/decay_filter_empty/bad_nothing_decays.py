"""Modules are compared by a class that the model doesn't use, so all weights end among the spared."""

import torch
from torch import nn


def groups(model):
    decayed, spared = [], []
    for module in model.modules():
        into = decayed if isinstance(module, nn.Conv1d) else spared
        into += module.parameters(recurse=False)
    return [{"params": decayed, "weight_decay": 0.1}, {"params": spared, "weight_decay": 0.0}]


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
sgd = torch.optim.SGD(groups(net), lr=0.05)  # expect
for _ in range(12):
    given = torch.randn(32, 6)
    sgd.zero_grad()
    nn.functional.mse_loss(net(given), given[:, :1]).backward()
    sgd.step()
