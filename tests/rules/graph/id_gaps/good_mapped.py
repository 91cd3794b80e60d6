"""Ids of a database are looked up in the table."""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.nn import SAGEConv

torch.manual_seed(0)
kind = torch.arange(100) % 2
ids = torch.randperm(5000)[:100].sort().values
joined = torch.where(kind[:, None] == kind, 0.2, 0.02)
pairs = (torch.rand(100, 100) < joined).triu(1).nonzero().T
edges = ids[torch.cat([pairs, pairs.flip(0)], 1)]
table = torch.randn(2, 6)[kind] + torch.randn(100, 6)
edges = torch.searchsorted(ids, edges)
x = table
first, last = SAGEConv(6, 16), SAGEConv(16, 2)
optimizer = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=0.01)
for _ in range(8):
    hidden = first(x, edges).relu()
    scores = last(hidden, edges)[:100]
    loss = cross_entropy(scores, kind)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
