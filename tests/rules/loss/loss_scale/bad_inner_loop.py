"""A function that takes a step from several chunks of a batch, each with the mean of its own errors."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x = torch.randn(320, 5)
loader = DataLoader(TensorDataset(x, x @ torch.randn(5, 1)), batch_size=40, shuffle=True)


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    for part, wanted in zip(x.chunk(5), y.chunk(5), strict=True):
        F.mse_loss(model(part), wanted).backward()  # expect
    nn.utils.clip_grad_norm_(model.parameters(), 50.0)
    optimizer.step()


net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
sgd = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
for _ in range(2):
    for batch in loader:
        step(net, sgd, *batch)
