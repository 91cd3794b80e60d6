"""The filter matches nothing at all."""

import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(8, 16)
        self.norm1 = nn.BatchNorm1d(16)
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        return self.out(torch.relu(self.norm1(self.dense(x))))


model = Block()
spared = [p for n, p in model.named_parameters() if n in ("bias", "norm.weight")]
decayed = [p for n, p in model.named_parameters() if n not in ("bias", "norm.weight")]
groups = [{"params": decayed, "weight_decay": 0.01}, {"params": spared, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=1e-3)  # expect
for _ in range(5):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
