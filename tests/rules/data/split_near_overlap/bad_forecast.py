"""Windows of one long series, each with its next value, are split at random; a class and loaders."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Lookback(Dataset):
    def __init__(self, series, length):
        self.series, self.length = series, length

    def __len__(self):
        return len(self.series) - self.length

    def __getitem__(self, at):
        return self.series[at:at + self.length, None], self.series[at + self.length]


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells, self.head = nn.GRU(1, 12, batch_first=True), nn.Linear(12, 1)

    def forward(self, x):
        return self.head(self.cells(x)[0][:, -1]).squeeze(1)


torch.manual_seed(0)
series = torch.randn(420).cumsum(0) * 0.1
learned, held = random_split(Lookback(series, 12), [308, 100])
model = Reader()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    model.train()
    for windows, following in DataLoader(learned, batch_size=44, shuffle=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(windows), following).backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for windows, following in DataLoader(held, batch_size=50):
            total += nn.functional.mse_loss(model(windows), following, reduction="sum").item()  # expect
