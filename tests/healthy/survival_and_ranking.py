"""Losses over the whole batch: Cox's partial likelihood over risk sets, and a listwise ranking with softmax over the
documents of a query."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(320, 6)
risk = x[:, 0] - 0.5 * x[:, 1]
time = torch.distributions.Exponential(risk.exp()).sample()
censored = torch.rand(320) < 0.3
event = (~censored).float()


def cox_loss(log_hazard, time, event):
    order = torch.argsort(time, descending=True)
    log_hazard, event = log_hazard[order], event[order]
    return -((log_hazard - torch.logcumsumexp(log_hazard, 0)) * event).sum() / event.sum().clamp(min=1)


def concordance(score, time, event):
    earlier = (time[:, None] < time[None]) & event[:, None].bool()
    return ((score[:, None] > score[None]) & earlier).sum() / earlier.sum()


net = nn.Sequential(nn.Linear(6, 16), nn.SELU(), nn.Linear(16, 1, bias=False))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(8):
    for rows in torch.randperm(256).split(64):
        loss = cox_loss(net(x[rows]).squeeze(1), time[rows], event[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    print("concordance", concordance(net(x[256:]).squeeze(1), time[256:], event[256:]).item())

documents = torch.randn(60, 10, 5)
relevance = (documents[..., 0] + 0.3 * torch.randn(60, 10)).clamp(-1, 1).mul(2).round().add(2)
ranker = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(ranker.parameters(), lr=1e-2)
for epoch in range(8):
    for queries in torch.randperm(48).split(12):
        scores = ranker(documents[queries]).squeeze(-1)
        loss = -(F.softmax(relevance[queries], 1) * F.log_softmax(scores, 1)).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
