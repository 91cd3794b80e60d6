"""One cycle over all batches, stepped once an epoch: it never leaves its first rates."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(200, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
epochs = 6
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=2e-2, epochs=epochs, steps_per_epoch=len(loader))
for _ in range(epochs):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    scheduler.step()  # expect
