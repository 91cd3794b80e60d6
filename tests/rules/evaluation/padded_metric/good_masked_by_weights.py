"""Padding is masked by weights in the loss, and in the score by the same weights."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(2)
ids = torch.randint(1, 12, (160, 9))
mask = (torch.arange(9)[None] < torch.randint(3, 10, (160, 1))).float()
ids = ids * mask.long()
gold = ids % 2 * mask.long()
net = nn.Sequential(nn.Embedding(12, 16, padding_idx=0), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(6):
    for rows in torch.randperm(128).split(32):
        each = F.cross_entropy(net(ids[rows]).flatten(0, 1), gold[rows].flatten(), reduction="none")
        weights = mask[rows].flatten()
        loss = (each * weights).sum() / weights.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        hits = (net(ids[128:]).argmax(-1) == gold[128:]).float() * mask[128:]
        print(epoch, (hits.sum() / mask[128:].sum()).item())
