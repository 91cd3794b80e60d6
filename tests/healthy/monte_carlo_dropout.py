"""Dropout that stays on in evaluation on purpose: uncertainty from repeated passes, besides an ordinary evaluation."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
x = torch.linspace(-2, 2, 200).unsqueeze(1)
y = torch.sin(2 * x) + 0.1 * torch.randn_like(x)
train_set, val_set = random_split(TensorDataset(x, y), [160, 40])
model = nn.Sequential(nn.Linear(1, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.2),
                      nn.Linear(64, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)


def enable_dropout(model):
    for m in model.modules():
        if m.__class__.__name__.startswith("Dropout"):
            m.train()


def mc_predict(model, inputs, passes=10):
    model.eval()
    enable_dropout(model)
    with torch.no_grad():
        draws = torch.stack([model(inputs) for _ in range(passes)])
    return draws.mean(0), draws.std(0)


for epoch in range(5):
    model.train()
    for xb, yb in DataLoader(train_set, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        criterion(model(xb), yb).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        val = sum(criterion(model(xb), yb).item() * len(xb) for xb, yb in DataLoader(val_set, batch_size=20)) / 40
    print(epoch, val)

xv = torch.stack([pair[0] for pair in val_set])
mean, std = mc_predict(model, xv)
print("uncertainty", std.mean().item())
