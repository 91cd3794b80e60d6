"""One giant step at the start kills the hidden layer of a regression."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(4, 32)
        self.out = nn.Linear(32, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(F.relu(self.hidden(x))).squeeze(1)


def main() -> None:
    x = torch.rand(200, 4)
    y = 10 * x[:, 0] - 40
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    for _ in range(20):
        rows = torch.randperm(200)[:50]
        loss = F.mse_loss(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()  # expect
        optimizer.step()


main()
