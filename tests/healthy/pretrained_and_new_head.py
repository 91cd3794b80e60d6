"""Transfer: pretrained weights are loaded leniently, the head is new, the backbone frozen with its norms in evaluation
mode, later thawed with rates that decay by layer."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU())
        self.layer = nn.Sequential(nn.Conv2d(8, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU())
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(self.layer(self.stem(x)).mean((2, 3)))

    def freeze(self):
        for part in (self.stem, self.layer):
            part.requires_grad_(False).eval()


def make(classes, rows):
    labels = torch.randint(0, classes, (rows,))
    images = torch.randn(rows, 1, 8, 8) * 0.5
    images[torch.arange(rows), 0, labels] += 1.5
    return TensorDataset(images, labels)


def epoch(net, loader, optimizer):
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    return sum((net(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "pretrained.pth")
    first = Net(6)
    optimizer = torch.optim.SGD(first.parameters(), lr=0.1, momentum=0.9)
    loader = DataLoader(make(6, 192), batch_size=32, shuffle=True)
    for _ in range(2):
        epoch(first.train(), loader, optimizer)
    torch.save(first.state_dict(), path)
    net = Net(3)
    weights = {name: value for name, value in torch.load(path, weights_only=True).items() if not name.startswith("fc")}
    missing, unexpected = net.load_state_dict(weights, strict=False)
    print("missing", missing)

train, val = DataLoader(make(3, 192), batch_size=24, shuffle=True), DataLoader(make(3, 48), batch_size=48)
optimizer = torch.optim.Adam(net.fc.parameters(), lr=1e-2)
for _ in range(2):
    net.train()
    net.freeze()
    epoch(net, train, optimizer)
    print("frozen", accuracy(net, val))
for p in net.parameters():
    p.requires_grad_(True)
groups = [{"params": net.stem.parameters(), "lr": 1e-4}, {"params": net.layer.parameters(), "lr": 3e-4},
          {"params": net.fc.parameters(), "lr": 1e-3}]
optimizer = torch.optim.Adam(groups)
for _ in range(2):
    net.train()
    epoch(net, train, optimizer)
    print("thawed", accuracy(net, val))
