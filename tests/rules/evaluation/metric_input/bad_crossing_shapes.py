"""Predictions [n, 1] meet labels [n]: each is compared with each."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, x):
        return self.layers(x)


def evaluate(net, loader):
    net.eval()
    right = total = 0
    with torch.no_grad():
        for x, y in loader:
            predicted = (torch.sigmoid(net(x)) > 0.5).long()
            right += (predicted == y).sum().item()  # expect
            total += len(y)
    return right / total


torch.manual_seed(5)
x = torch.randn(300, 5)
y = (x.sum(1) > 0).long()
train = DataLoader(TensorDataset(x[:240], y[:240]), batch_size=24, shuffle=True)
held = DataLoader(TensorDataset(x[240:], y[240:]), batch_size=30)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
loss_function = nn.BCEWithLogitsLoss()
for epoch in range(4):
    net.train()
    for a, b in train:
        optimizer.zero_grad()
        loss_function(net(a), b.float().unsqueeze(1)).backward()
        optimizer.step()
    print(epoch, evaluate(net, held))
