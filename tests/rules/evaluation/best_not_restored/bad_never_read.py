"""The best weights are copied, and then the last ones are evaluated."""

import copy

import torch
from torch import nn

torch.manual_seed(7)
x = torch.randn(120, 5)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.2)
best_acc, best_weights = 0.0, None
for _ in range(12):
    opt.zero_grad()
    nn.functional.cross_entropy(net(x[:60]), y[:60]).backward()
    opt.step()
    with torch.no_grad():
        acc = (net(x[60:90]).argmax(1) == y[60:90]).float().mean().item()
    if acc > best_acc:
        best_acc, best_epoch = acc, _
        best_weights = copy.deepcopy(net.state_dict())  # expect
with torch.no_grad():
    result = (net(x[90:]).argmax(1) == y[90:]).float().mean().item()
