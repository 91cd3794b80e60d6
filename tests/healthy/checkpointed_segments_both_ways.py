"""Gradient checkpointing, reentrant and not, in a residual network trained with accumulation."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Net(nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.reentrant = reentrant
        self.inp = nn.Linear(6, 16)
        self.blocks = nn.ModuleList(Block(16) for _ in range(3))
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=self.reentrant) if self.training else block(x)
        return self.out(x)


x = torch.randn(240, 6)
y = x[:, :1] * x[:, 1:2] + 0.1 * torch.randn(240, 1)
for reentrant in (False, True):
    model = Net(reentrant)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(3):
        model.train()
        optimizer.zero_grad()
        chunks = torch.randperm(192).split(24)
        for step, rows in enumerate(chunks):
            loss = nn.functional.mse_loss(model(x[rows]), y[rows]) / 2
            loss.backward()
            if (step + 1) % 2 == 0 or step + 1 == len(chunks):
                optimizer.step()
                optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            print(reentrant, epoch, nn.functional.mse_loss(model(x[192:]), y[192:]).item())
