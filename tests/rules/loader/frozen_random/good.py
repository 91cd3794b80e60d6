"""Each signal is scaled and mirrored by chance as it is read, anew each time."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(1)


def vary(signal):
    signal = signal * (0.8 + 0.4 * torch.rand(1))
    return signal.flip(0) if torch.rand(()) < 0.5 else signal.clone()


class Signals(Dataset):
    def __init__(self, signals, kinds):
        self.signals = list(signals)
        self.kinds = kinds

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, row):
        return vary(self.signals[row]), self.kinds[row]


kinds = torch.arange(3).repeat(40)
waves = torch.sin(torch.linspace(0, 6, 16) * (1 + kinds[:, None])) + 0.2 * torch.randn(120, 16)
loader = DataLoader(Signals(waves, kinds), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(4):
    for signal, kind in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(signal), kind).backward()
        optimizer.step()
