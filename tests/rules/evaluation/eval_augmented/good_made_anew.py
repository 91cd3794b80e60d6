import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Tones(Dataset):
    """Every tone is made when it is asked for, in training and in evaluation."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, row):
        kind = row % 3
        phase, loudness = 6.28 * torch.rand(1), 0.5 + torch.rand(1)
        wave = loudness * torch.sin(torch.linspace(0, 6, 20) * (kind + 1) + phase)
        return wave + 0.2 * torch.randn(20), kind


torch.manual_seed(8)
batches = DataLoader(Tones(240), batch_size=24, shuffle=True)
fresh = DataLoader(Tones(90), batch_size=45)
net = nn.Sequential(nn.Linear(20, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(4):
    net.train()
    for waves, kinds in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(waves), kinds).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        hits = sum(int((net(waves).argmax(1) == kinds).sum()) for waves, kinds in fresh)
    print(f"{hits / 90:.3f}")
