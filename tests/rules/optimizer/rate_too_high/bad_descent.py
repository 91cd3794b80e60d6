"""Plain descent on a regression with inputs of some size: it doubles its error with each step."""

import torch
from torch import nn


def fit(x, y, rate):
    net = nn.Linear(x.shape[1], 1)
    sgd = torch.optim.SGD(net.parameters(), lr=rate)  # expect
    for _ in range(40):
        sgd.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        sgd.step()
    return net


torch.manual_seed(0)
inputs = 2 * torch.randn(100, 5)
fit(inputs, inputs.sum(1, keepdim=True), rate=0.4)
