"""A sum that is computed and thrown away."""

import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(8, 4), nn.Linear(4, 8)
        self.label = nn.Linear(4, 3)

    def forward(self, x):
        code = torch.tanh(self.down(x))
        return self.up(code), self.label(code)


def fit(coder, steps):
    optimizer = torch.optim.Adam(coder.parameters(), lr=1e-2)
    rebuild, classify = nn.MSELoss(), nn.CrossEntropyLoss()
    for _ in range(steps):
        x = torch.randn(24, 8)
        again, scores = coder(x)
        loss = classify(scores, x[:, :3].argmax(1))
        rebuilt = rebuild(again, x)  # expect
        loss.add(0.5 * rebuilt)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


torch.manual_seed(0)
fit(Coder(), 8)
