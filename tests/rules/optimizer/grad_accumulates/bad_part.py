"""The head's gradients are cleared, the body's are not."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


torch.manual_seed(0)
net = Net()
sgd = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(30):
    x = torch.randn(32, 8)
    net.head.zero_grad()
    loss = nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long())
    loss.backward()  # expect
    sgd.step()
