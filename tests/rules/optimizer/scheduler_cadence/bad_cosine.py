"""A cosine over the epochs, stepped in a training function after every batch; the data are indexed by hand."""

import torch
from torch import nn

EPOCHS = 8


def train_epoch(model, optimizer, scheduler, x, y):
    model.train()
    for rows in torch.randperm(len(x)).split(20):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()  # expect


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return float((model(x).argmax(1) == y).float().mean())


torch.manual_seed(1)
centres = torch.randn(3, 5) * 2
labels = torch.arange(400) % 3
points = centres[labels] + torch.randn(400, 5)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))
adam = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.0)
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(adam, T_max=EPOCHS)
for _ in range(EPOCHS):
    train_epoch(net, adam, cosine, points[:300], labels[:300])
    accuracy(net, points[300:], labels[300:])
