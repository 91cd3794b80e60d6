"""Each new block of a stream is predicted first and learned from afterwards."""

import torch
from torch import nn

torch.manual_seed(7)
stream = torch.randn(400, 4)
truth = stream @ torch.tensor([1.0, -2.0, 0.5, 0.0]) + 0.1 * torch.randn(400)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
errors = []
for block, answers in zip(stream.split(40), truth.split(40), strict=True):
    with torch.no_grad():
        errors.append(nn.functional.mse_loss(net(block).squeeze(1), answers).item())
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(block).squeeze(1), answers).backward()
        optimizer.step()
