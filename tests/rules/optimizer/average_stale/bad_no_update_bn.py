"""Stochastic weight averaging without a pass over the data for the norms."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(1, 8, 3), nn.BatchNorm1d(8), nn.ReLU(), nn.AdaptiveAvgPool1d(1))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


torch.manual_seed(1)
waves = 1 + torch.randn(224, 1, 12).cumsum(2)
up = (waves[:, 0, -1] > waves[:, 0, 0]).long()
loader = DataLoader(TensorDataset(waves[:192], up[:192]), batch_size=24, shuffle=True)
net = Net()
averaged = AveragedModel(net)  # expect
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(6):
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    if epoch >= 2:
        averaged.update_parameters(net)
averaged.eval()
with torch.no_grad():
    print((averaged(waves[192:]).argmax(1) == up[192:]).float().mean().item())
