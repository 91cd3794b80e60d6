import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Signals(Dataset):
    def __init__(self, count):
        self.kinds = torch.arange(count) % 3
        self.waves = torch.sin(torch.linspace(0, 6, 20) * (self.kinds[:, None] + 1)) + 0.5 * torch.randn(count, 20)

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, row):
        wave = self.waves[row] * (0.8 + 0.4 * torch.rand(1))
        return wave + 0.2 * torch.randn(20), self.kinds[row]


torch.manual_seed(8)
train, held_out = random_split(Signals(300), [220, 80])
batches = DataLoader(train, batch_size=22, shuffle=True)
validation = DataLoader(held_out, batch_size=40)  # expect
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
        hits = sum(int((net(waves).argmax(1) == kinds).sum()) for waves, kinds in validation)
    print(f"{hits / 80:.3f}")
