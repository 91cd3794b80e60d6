"""As in a question at Stack Overflow: zero_grad is missing, which hardly shows at a small rate."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = torch.randn(320, 1, 8, 8)
labels = digits[:, 0, :5, 0].argmax(1)
model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)
for _ in range(1):
    for x, y in DataLoader(TensorDataset(digits, labels), batch_size=64, shuffle=True):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()  # expect
        optimizer.step()
