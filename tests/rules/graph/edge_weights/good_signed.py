"""A layer that doesn't normalise takes signed weights."""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.nn import GraphConv

torch.manual_seed(0)
kind = torch.arange(120) % 3
joined = torch.where(kind[:, None] == kind, 0.2, 0.02)
pairs = (torch.rand(120, 120) < joined).triu(1).nonzero().T
data = Data(x=torch.randn(3, 6)[kind] + torch.randn(120, 6), edge_index=torch.cat([pairs, pairs.flip(0)], 1), y=kind)
weight = torch.corrcoef(data.x)[data.edge_index[0], data.edge_index[1]]

conv = GraphConv(6, 3)
optimizer = torch.optim.Adam(conv.parameters(), lr=0.01)
for _ in range(8):
    scores = conv(data.x, data.edge_index, weight)
    loss = cross_entropy(scores, data.y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
