"""A group of parameters is made and not handed over; the model lives and dies inside a function."""

import torch
from torch import nn


def optimizer_of(model):
    body = {"params": model["body"].parameters(), "lr": 1e-3}
    head = {"params": model["head"].parameters(), "lr": 1e-2}
    assert head["lr"] > body["lr"]
    return torch.optim.SGD([body], momentum=0.9)  # expect


def train():
    torch.manual_seed(0)
    model = nn.ModuleDict({"body": nn.Linear(8, 16), "head": nn.Linear(16, 1)})
    optimizer = optimizer_of(model)
    for _ in range(12):
        x = torch.randn(32, 8)
        loss = nn.functional.mse_loss(model["head"](torch.relu(model["body"](x))), x[:, :1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train()
