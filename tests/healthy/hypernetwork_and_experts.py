"""Weights that another network puts out, and experts of which a gate chooses one for each example (some idle in a
batch), with a balancing term."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Hyper(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.make = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3 * width + width))
        self.out = nn.Linear(width, 1)
        self.width = width

    def forward(self, x, context):
        made = self.make(context)
        weight, bias = made[:, : 3 * self.width].view(-1, self.width, 3), made[:, 3 * self.width :]
        return self.out(torch.relu(torch.bmm(weight, x.unsqueeze(2)).squeeze(2) + bias))


class SwitchLayer(nn.Module):
    def __init__(self, width, experts=4):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, width)) for _ in range(experts)
        )

    def forward(self, x):
        probabilities = self.gate(x).softmax(-1)
        weight, chosen = probabilities.max(-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = (chosen == i).nonzero().flatten()
            if len(rows):
                out[rows] = expert(x[rows])
        share = F.one_hot(chosen, len(self.experts)).float().mean(0)
        balance = len(self.experts) * (share * probabilities.mean(0)).sum()
        return x + weight.unsqueeze(1) * out, balance


x, context = torch.randn(256, 3), torch.randn(256, 2)
y = (x[:, :2] * context).sum(1, keepdim=True)
hyper = Hyper()
optimizer = torch.optim.Adam(hyper.parameters(), lr=3e-3)
for _ in range(4):
    for rows in torch.randperm(224).split(32):
        loss = F.mse_loss(hyper(x[rows], context[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

inp, moe, head = nn.Linear(3, 16), SwitchLayer(16), nn.Linear(16, 2)
labels = (x[:, 0] * x[:, 1] > 0).long()
parameters = [*inp.parameters(), *moe.parameters(), *head.parameters()]
optimizer = torch.optim.Adam(parameters, lr=5e-3)
for _ in range(4):
    for rows in torch.randperm(224).split(16):
        hidden, balance = moe(torch.relu(inp(x[rows])))
        loss = F.cross_entropy(head(hidden), labels[rows]) + 0.01 * balance
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
