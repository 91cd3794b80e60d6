"""A training score runs on through its epoch, a mean over the whole run, and a fresh object is made each evaluation."""

import torch
from torch import nn
from torchmetrics import MeanMetric
from torchmetrics.classification import BinaryAccuracy

torch.manual_seed(2)
x = torch.randn(120, 4)
y = (x[:, 0] > 0).float()
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
running, level = BinaryAccuracy(), MeanMetric()
for _ in range(3):
    model.train()
    for step, rows in enumerate(torch.randperm(80).split(10)):
        scores = model(x[rows])[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(scores, y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running.update(scores.detach(), y[rows])
        level.update(loss.detach())
        if step % 4 == 3:
            running.compute()
            level.compute()
    running.reset()
    model.eval()
    fresh = BinaryAccuracy()
    with torch.no_grad():
        for inputs, targets in zip(x[80:].split(20), y[80:].split(20), strict=True):
            fresh(model(inputs)[:, 0], targets)
    fresh.compute()
