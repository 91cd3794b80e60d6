"""A sigmoid for each class, before a softmax over them."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv1d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 4), nn.Sigmoid(),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(8):
    x, y = torch.randn(16, 3, 20), torch.randint(0, 4, (16,))
    loss = criterion(model(x), y)  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
