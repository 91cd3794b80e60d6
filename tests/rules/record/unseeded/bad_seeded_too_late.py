"""The seed is set after the model was made: its initial weights differ from run to run."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.GRU(4, 8, batch_first=True)  # expect
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.cells(x)[0][:, -1])


def train(net):
    torch.manual_seed(12345)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(8):
        x = torch.randn(16, 5, 4)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x.mean((1, 2))[:, None]).backward()
        optimizer.step()


train(Net())
