"""A collection is called batch by batch in a function, and computed at its end."""

import torch
from torch import nn
from torchmetrics import MetricCollection
from torchmetrics.regression import MeanAbsoluteError


def evaluate(net, metrics, x, y):
    net.eval()
    with torch.no_grad():
        for inputs, targets in zip(x.split(15), y.split(15), strict=True):
            metrics(net(inputs), targets)
    return metrics.compute()  # expect


torch.manual_seed(1)
x = torch.randn(90, 3)
y = x[:, :1] - x[:, 1:2]
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
metrics = MetricCollection({"error": MeanAbsoluteError()})
for _ in range(3):
    net.train()
    for rows in torch.randperm(60).split(20):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x[rows]), y[rows]).backward()
        optimizer.step()
    evaluate(net, metrics, x[60:], y[60:])
