"""Forecasting: windows of a series, cut by time before they are made, scaled by the training part, not shuffled on
purpose in the evaluation; a naive forecast stands beside."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
rng = np.random.default_rng(0)
t = np.arange(900)
series = (np.sin(t / 8) + 0.5 * np.sin(t / 37) + 0.1 * rng.standard_normal(900)).astype(np.float32) * 20 + 100
train, val, test = series[:600], series[600:750], series[750:]
mean, std = train.mean(), train.std()


class Windows(Dataset):
    def __init__(self, values, window=24, horizon=1):
        self.values = torch.from_numpy((values - mean) / std)
        self.window, self.horizon = window, horizon

    def __len__(self):
        return len(self.values) - self.window - self.horizon + 1

    def __getitem__(self, i):
        return self.values[i : i + self.window].unsqueeze(1), self.values[
            i + self.window : i + self.window + self.horizon
        ]


class Forecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1])


loaders = {
    name: DataLoader(Windows(part), batch_size=64, shuffle=name == "train")
    for name, part in (("train", train), ("val", val), ("test", test))
}
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.MSELoss()


def evaluate(loader):
    model.eval()
    squares, count = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            squares += ((model(x) - y) ** 2).sum().item()
            count += y.numel()
    return (squares / count) ** 0.5 * std


for epoch in range(3):
    model.train()
    for x, y in loaders["train"]:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch, evaluate(loaders["val"]))
print("test", evaluate(loaders["test"]))
