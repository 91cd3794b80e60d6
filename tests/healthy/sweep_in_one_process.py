"""A sweep over rates and widths in one process, chosen by the validation loss; the winner is trained anew on both parts
and tested once."""

import itertools

import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset


def make_data(seed=0):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(360, 6, generator=g)
    y = (x[:, 0] * 2 - x[:, 3] + 0.2 * torch.randn(360, generator=g)).unsqueeze(1)
    return [TensorDataset(x[a:b], y[a:b]) for a, b in ((0, 240), (240, 300), (300, 360))]


def run(train, evaluated, lr, width, epochs=4):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(epochs):
        model.train()
        for x, y in DataLoader(train, batch_size=32, shuffle=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        x, y = evaluated.tensors
        return nn.functional.mse_loss(model(x), y).item()


def main():
    train, val, test = make_data()
    results = {}
    for lr, width in itertools.product((0.003, 0.01, 0.03), (8, 32)):
        results[lr, width] = run(train, val, lr, width)
        print(lr, width, results[lr, width])
    lr, width = min(results, key=results.get)
    print("test", run(ConcatDataset([train, val]), test, lr, width))


main()
