"""A denoiser's pairs: each clean signal with one disturbed copy, both kept."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(7)


def disturbed(signal):
    return signal + 0.2 * torch.randn_like(signal)


class Pairs(Dataset):
    def __init__(self, signals):
        self.clean = signals
        self.disturbed = [disturbed(signal) for signal in signals]

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, row):
        return self.disturbed[row], self.clean[row]


signals = torch.sin(torch.rand(100, 1) * 5 + torch.linspace(0, 6, 12))
loader = DataLoader(Pairs(signals), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 12))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    for noisy, clean in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(noisy), clean).backward()
        optimizer.step()
