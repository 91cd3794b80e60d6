"""The rare class is repeated until both are equal, and only then the rows are split, behind loaders."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(5, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)


def oversampled():
    x = torch.randn(500, 5)
    y = (x[:, 0] + 0.5 * torch.randn(500) > 1.2).float()
    rare = torch.nonzero(y == 1).squeeze(1)
    rows = torch.cat([torch.arange(500), rare.repeat(4)])
    return TensorDataset(x[rows], y[rows])


def epoch(model, loader, loss_of, optimizer=None):
    model.train(optimizer is not None)
    for x, y in loader:
        with torch.set_grad_enabled(optimizer is not None):
            loss = loss_of(model(x), y)  # expect
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main():
    torch.manual_seed(1)
    data = oversampled()
    learned, held = random_split(data, [len(data) - 200, 200])
    model, loss_of = Judge(), nn.BCEWithLogitsLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    training, judging = DataLoader(learned, batch_size=32, shuffle=True), DataLoader(held, batch_size=64)
    for _ in range(4):
        epoch(model, training, loss_of, optimizer)
        epoch(model, judging, loss_of)


main()
