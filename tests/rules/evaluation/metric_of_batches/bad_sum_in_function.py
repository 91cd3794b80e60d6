"""An AUC is added up over slices of the rows, in a function of its own, and divided by their number."""

import torch
from sklearn import metrics
from torch import nn


def auc(network, inputs, targets):
    with torch.no_grad():
        scores = network(inputs).squeeze(1)
    return metrics.roc_auc_score(targets.numpy(), scores.numpy())  # expect


def evaluate(network, inputs, targets, size=20):
    network.eval()
    total, count = 0.0, 0
    for start in range(0, len(inputs), size):
        total += auc(network, inputs[start:start + size], targets[start:start + size])
        count += 1
    return total / count


torch.manual_seed(1)
inputs = torch.randn(300, 5)
targets = (inputs[:, 0] + 0.7 * torch.randn(300) > 0).float()
network = nn.Sequential(nn.Linear(5, 16), nn.GELU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
for _ in range(4):
    network.train()
    for rows in torch.randperm(200).split(25):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(network(inputs[rows])[:, 0], targets[rows]).backward()
        optimizer.step()
    evaluate(network, inputs[200:], targets[200:])
