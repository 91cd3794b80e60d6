"""A curriculum: easy examples first, so that early batches are alike and come in order; then all of them, shuffled."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
signal = x[:, 0] + 0.5 * x[:, 1]
y = (signal + 0.3 * torch.randn(400) > 0).long()
data = TensorDataset(x[:320], y[:320])
difficulty = signal[:320].abs().argsort(descending=True)
model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for share in (0.25, 0.5, 1.0, 1.0):
    chosen = difficulty[: int(share * 320)].tolist()
    for xb, yb in DataLoader(Subset(data, chosen), batch_size=20, shuffle=share == 1.0):
        loss = nn.functional.cross_entropy(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        print(share, (model(x[320:]).argmax(1) == y[320:]).float().mean().item())
