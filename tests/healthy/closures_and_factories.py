"""Programs in functions and closures: a step that is returned by a maker, a global model, metrics in a dict, a
`lambda`."""

from functools import partial

import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def make_model(sizes, activation=nn.ReLU):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
        layers += [nn.Linear(a, b)] + ([activation()] if i < len(sizes) - 2 else [])
    return nn.Sequential(*layers)


def make_step(model, loss_fn, optimizer):
    def train_step(x, y):
        model.train()
        yhat = model(x)
        loss = loss_fn(yhat, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    return train_step


def make_val_step(model, loss_fn):
    def val_step(x, y):
        model.eval()
        yhat = model(x)
        return loss_fn(yhat, y).item()

    return val_step


def mini_batch(loader, step):
    return sum(step(x, y) * len(x) for x, y in loader) / len(loader.dataset)


torch.manual_seed(13)
x = torch.rand(200, 1)
y = 1 + 2 * x + 0.1 * torch.randn(200, 1)
train_loader = DataLoader(TensorDataset(x[:160], y[:160]), 16, shuffle=True)
val_loader = DataLoader(TensorDataset(x[160:], y[160:]), 16)
model = make_model([1, 16, 1], partial(nn.LeakyReLU, 0.1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
train_step, val_step = make_step(model, nn.MSELoss(), optimizer), make_val_step(model, nn.MSELoss())
history = {"train": [], "val": []}
for epoch in range(5):
    history["train"].append(mini_batch(train_loader, train_step))
    with torch.no_grad():
        history["val"].append(mini_batch(val_loader, val_step))
    scheduler.step()
print(history)
