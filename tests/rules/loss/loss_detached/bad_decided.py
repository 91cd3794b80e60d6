"""Decisions, not scores, are held against the labels; a switch then makes PyTorch accept the loss."""

import torch
from torch import nn

torch.manual_seed(0)


class Voter(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))

    def forward(self, x):
        return self.layers(x).argmax(dim=1).float()


def epoch(voter, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad()
        loss = ((voter(x) - y) ** 2).mean()
        loss.requires_grad_(True)  # expect
        loss.backward()
        optimizer.step()


voter = Voter()
batches = [(torch.randn(16, 6), torch.randint(0, 3, (16,))) for _ in range(4)]
optimizer = torch.optim.SGD(voter.parameters(), lr=0.1)
for _ in range(3):
    epoch(voter, optimizer, batches)
