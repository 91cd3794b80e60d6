"""Handwritten digits as rows of 64 pixels: stretches of small whole numbers that many share, and no windows."""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.manual_seed(0)
pixels, labels = load_digits(return_X_y=True)
inputs, targets = torch.tensor(pixels, dtype=torch.float32), torch.tensor(labels)
order = torch.randperm(len(inputs))
train, held_out = order[:1200], order[1200:]
inputs = (inputs - inputs[train].mean()) / inputs[train].std()
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for _epoch in range(4):
    model.train()
    for batch in train[torch.randperm(len(train))].split(64):
        loss = nn.functional.cross_entropy(model(inputs[batch]), targets[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(inputs[held_out]).argmax(1) == targets[held_out]).float().mean()
