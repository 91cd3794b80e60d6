"""A check before training: one batch is fitted again and again, said aloud; the training proper follows."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(256, 12)
y = x[:, :3].argmax(1)
loader = DataLoader(TensorDataset(x[:200], y[:200]), batch_size=20, shuffle=True)
val_x, val_y = x[200:], y[200:]


def build():
    return nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 3))


def sanity_check():
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    xb, yb = next(iter(loader))
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.1, "cannot overfit one batch"


sanity_check()
model = build()
with torch.no_grad():
    print("loss at the beginning", nn.functional.cross_entropy(model(val_x), val_y).item())
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(4):
    model.train()
    running, seen = 0.0, 0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
        running, seen = running + loss.item() * len(xb), seen + len(xb)
    model.eval()
    with torch.no_grad():
        print(epoch, running / seen, (model(val_x).argmax(1) == val_y).float().mean().item())
