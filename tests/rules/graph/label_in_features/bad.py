"""One-hot labels of all nodes stand among the features."""

import torch
from torch import nn

torch.manual_seed(0)
NODES = 150
kind = torch.arange(NODES) % 3
joined = torch.where(kind[:, None] == kind, 0.2, 0.02)
pairs = (torch.rand(NODES, NODES) < joined).triu(1).nonzero().T
edges = torch.cat([pairs, pairs.flip(0)], 1)
features = 0.5 * torch.randn(3, 5)[kind] + torch.randn(NODES, 5)
train = torch.arange(NODES) % 5 > 1
known = nn.functional.one_hot(kind, 3).float()
features = torch.cat([features, known], 1)


class Around(nn.Module):
    """Each node's own features beside the mean of its neighbours'."""

    def __init__(self, width, out):
        super().__init__()
        self.own, self.others = nn.Linear(width, out), nn.Linear(width, out)

    def forward(self, x, edges):
        degree = torch.bincount(edges[1], minlength=len(x)).clamp(min=1)
        total = torch.zeros_like(x).index_add(0, edges[1], x[edges[0]])
        return self.own(x) + self.others(total / degree[:, None])


class Network(nn.Module):
    def __init__(self, out):
        super().__init__()
        self.first, self.last = Around(8, 16), Around(16, out)

    def forward(self, x, edges):
        return self.last(torch.relu(self.first(x, edges)), edges)


network = Network(3)
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
for _ in range(12):
    loss = nn.functional.cross_entropy(network(features, edges)[train], kind[train])  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
