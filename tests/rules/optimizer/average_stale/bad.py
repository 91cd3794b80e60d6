"""An average by hand follows in its parameters, never in its batch-norm statistics."""

import copy

import torch
from torch import nn


def follow(average, model, decay):
    with torch.no_grad():
        for mine, its in zip(average.parameters(), model.parameters()):
            mine.mul_(decay).add_(its, alpha=1 - decay)
        for mine, its in zip(average.buffers(), model.buffers()):
            pass


torch.manual_seed(0)
inputs = 3 + 2 * torch.randn(288, 8)
labels = (inputs[:, 0] > inputs[:, 1]).long()
model = nn.Sequential(nn.Linear(8, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 2))
average = copy.deepcopy(model)  # expect
average.eval()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(6):
    model.train()
    for rows in torch.randperm(256).split(32):
        optimizer.zero_grad()
        loss = criterion(model(inputs[rows]), labels[rows])
        loss.backward()
        optimizer.step()
        follow(average, model, 0.9)
    with torch.no_grad():
        print(epoch, (average(inputs[256:]).argmax(1) == labels[256:]).float().mean().item())
