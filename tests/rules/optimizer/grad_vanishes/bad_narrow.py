"""A class of its own with small weights in every layer and nothing that keeps the scale."""

import torch
from torch import nn


class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(12, 12) for _ in range(depth))
        self.last = nn.Linear(12, 3)
        for layer in self.layers:
            nn.init.normal_(layer.weight, std=0.05)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.last(x)


torch.manual_seed(0)
net = Deep(9)
sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for _ in range(40):
    inputs = torch.randn(32, 12)
    loss = nn.functional.cross_entropy(net(inputs), inputs[:, :3].argmax(1))
    sgd.zero_grad()
    loss.backward()
    sgd.step()  # expect
