"""Everything but the norms is frozen, the random head with it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.norm = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(torch.relu(self.norm(self.conv(x))).mean((2, 3)))


torch.manual_seed(0)
net = Net()
for name, parameter in net.named_parameters():
    parameter.requires_grad = "norm" in name
sgd = torch.optim.SGD(filter(lambda parameter: parameter.requires_grad, net.parameters()), lr=0.01)
for _ in range(20):
    images = torch.randn(16, 1, 8, 8)
    labels = images.mean((1, 2, 3)).gt(0).long()
    sgd.zero_grad()
    loss = nn.functional.cross_entropy(net(images), labels)  # expect
    loss.backward()
    sgd.step()
