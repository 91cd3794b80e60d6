"""Weights of a full checkpoint are fine-tuned at another rate, evaluated, and gone back to by the same optimizer."""

import io

import torch
from torch import nn


def train(model, optimizer, x, y, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def read(file):
    file.seek(0)
    return torch.load(file)


torch.manual_seed(2)
x = torch.randn(80, 3)
y = x.cos().sum(1, keepdim=True) - 1.8
model = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.0)
train(model, optimizer, x[:40], y[:40], 15)
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 15}, file)
train(model, optimizer, x[:40], y[:40], 5)
model.load_state_dict(read(file)["model"])
train(model, optimizer, x[:40], y[:40], 5)
tuned = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
tuned.load_state_dict(read(file)["model"])
tuner = torch.optim.AdamW(tuned.parameters(), lr=0.001, weight_decay=0.0)
train(tuned, tuner, x[40:], y[40:], 10)
judged = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
checkpoint = read(file)
judged.load_state_dict(checkpoint["model"])
judged.eval()
with torch.no_grad():
    judged(x)
