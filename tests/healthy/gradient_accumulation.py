"""Four backward passes a step, cleared once a step, by set_to_none=False."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
criterion = nn.CrossEntropyLoss()

for step in range(48):
    x, y = torch.randn(16, 8), torch.randint(0, 3, (16,))
    (criterion(model(x), y) / 4).backward()
    if step % 4 == 3:
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
