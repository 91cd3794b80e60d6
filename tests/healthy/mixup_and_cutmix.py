"""Images mixed in pairs, with soft labels or two losses in proportion, and label smoothing; plain evaluation."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.relu(self.conv2(x))
        return self.fc(x.mean((2, 3)))


def mixup(x, y, alpha=0.4):
    lam = rng.beta(alpha, alpha)
    index = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[index], y, y[index], lam


def cutmix(x, y):
    index = torch.randperm(len(x))
    size = x.shape[-1] // 2
    top, left = rng.integers(0, size + 1, 2)
    x = x.clone()
    x[:, :, top : top + size, left : left + size] = x[index, :, top : top + size, left : left + size]
    lam = 1 - size**2 / x.shape[-1] ** 2
    soft = lam * F.one_hot(y, 4).float() + (1 - lam) * F.one_hot(y[index], 4).float()
    return x, soft


labels = torch.from_numpy(rng.integers(0, 4, 320))
images = torch.from_numpy(rng.normal(0, 0.5, (320, 1, 8, 8))).float()
for i, label in enumerate(labels):
    images[i, 0, (label // 2) * 4 : (label // 2) * 4 + 4, (label % 2) * 4 : (label % 2) * 4 + 4] += 1
train_x, train_y, val_x, val_y = images[:256], labels[:256], images[256:], labels[256:]
net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
for epoch in range(4):
    net.train()
    order = torch.randperm(256)
    for i in range(0, 256, 32):
        x, y = train_x[order[i : i + 32]], train_y[order[i : i + 32]]
        optimizer.zero_grad()
        if rng.random() < 0.5:
            mixed, ya, yb, lam = mixup(x, y)
            out = net(mixed)
            loss = lam * criterion(out, ya) + (1 - lam) * criterion(out, yb)
        else:
            mixed, soft = cutmix(x, y)
            loss = criterion(net(mixed), soft)
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        print(epoch, (net(val_x).argmax(1) == val_y).float().mean().item())
