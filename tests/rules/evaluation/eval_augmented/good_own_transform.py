import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


class Signals(Dataset):
    def __init__(self, waves, kinds, noise=0.0):
        self.waves, self.kinds, self.noise = waves, kinds, noise

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, row):
        wave = self.waves[row]
        return (wave + self.noise * torch.randn(20) if self.noise else wave), self.kinds[row]


torch.manual_seed(8)
kinds = torch.arange(300) % 3
waves = torch.sin(torch.linspace(0, 6, 20) * (kinds[:, None] + 1)) + 0.5 * torch.randn(300, 20)
rows = torch.randperm(300).tolist()
batches = DataLoader(Subset(Signals(waves, kinds, 0.3), rows[:220]), batch_size=22, shuffle=True)
clean = DataLoader(Subset(Signals(waves, kinds), rows[220:]), batch_size=40)
noisy = DataLoader(Subset(Signals(waves, kinds, 0.6), rows[220:]), batch_size=40)
net = nn.Sequential(nn.Linear(20, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(4):
    net.train()
    for inputs, targets in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(inputs), targets).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        # How much noise does it bear? Beside the score of the examples as they are.
        shares = [
            sum(int((net(inputs).argmax(1) == targets).sum()) for inputs, targets in loader) / 80
            for loader in (clean, noisy)
        ]
    print(shares)
