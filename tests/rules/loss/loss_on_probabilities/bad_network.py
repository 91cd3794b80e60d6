"""The network ends in a softmax, the loss is a module with label smoothing, and validation runs in between."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5), nn.Softmax(dim=-1))

    def forward(self, x):
        return self.layers(x)


def train():
    torch.manual_seed(0)
    model, criterion = Classifier(), nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        x, y = torch.randn(32, 8), torch.randint(0, 5, (32,))
        with torch.no_grad():
            criterion(model(x), y)
        optimizer.zero_grad()
        total = criterion(model(x), y)  # expect
        (0.5 * total + 1e-4 * sum(p.pow(2).sum() for p in model.parameters())).backward()
        optimizer.step()


train()
