"""A cycle for a hundred epochs, of which ten are run."""

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x[:224], y[:224]), batch_size=32, shuffle=True)
epochs = 100
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = OneCycleLR(optimizer, max_lr=0.2, total_steps=epochs * len(loader))  # expect
for epoch in range(10):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
        scheduler.step()
model.eval()
with torch.no_grad():
    print((model(x[224:]).argmax(1) == y[224:]).float().mean().item())
