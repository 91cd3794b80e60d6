"""A second job loads the weights of the first, and neither its optimizer's state nor its schedule's."""

import io

import torch
from torch import nn


def assemble():
    model = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    return model, optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)


def train(model, optimizer, scheduler, epochs):
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(16):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
            optimizer.step()
        scheduler.step()


torch.manual_seed(0)
x = torch.randn(64, 3)
y = torch.sin(x[:, :1]) * x[:, 1:2]
first = assemble()
train(*first, 4)
file = io.BytesIO()
states = [each.state_dict() for each in first]
torch.save(dict(zip(("model", "optimizer", "schedule"), states, strict=True)), file)
file.seek(0)
checkpoint = torch.load(file)
model, optimizer, scheduler = assemble()
model.load_state_dict(checkpoint["model"])  # expect
train(model, optimizer, scheduler, 3)
