"""The loss is scaled and the optimizer stepped without the scaler, in a class."""

import torch
from torch import nn


class Half:
    def __init__(self, model):
        self.model, self.scaler = model, torch.amp.GradScaler("cpu", init_scale=256.0)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def update(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16):
            scores = self.model(x)
        loss = nn.functional.cross_entropy(scores.float(), y)
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.optimizer.step()  # expect


torch.manual_seed(0)
half = Half(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3)))
for _ in range(20):
    given = torch.randn(32, 6)
    half.update(given, given[:, :3].argmax(1))
