"""A break that was put in to try the loop is still there: each epoch ends after its first batch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(2)


class Points(Dataset):
    def __init__(self):
        self.points = torch.randn(120, 3)

    def __len__(self):
        return 120

    def __getitem__(self, row):
        return self.points[row], self.points[row].norm().unsqueeze(0)


def train(model, loader, optimizer):
    for inputs, targets in loader:  # expect
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
        break


net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
adam = torch.optim.Adam(net.parameters(), lr=0.01)
points = DataLoader(Points(), batch_size=20)
for _ in range(10):
    train(net, points, adam)
