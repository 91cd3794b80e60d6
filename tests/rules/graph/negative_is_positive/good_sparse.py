"""Random pairs of a sparse graph, unchecked: hardly one is an edge."""

import torch
from torch import nn

torch.manual_seed(0)
NODES = 200
place = torch.rand(NODES, 2)
near = (torch.cdist(place, place) < 0.06).fill_diagonal_(False)
pairs = near.triu(1).nonzero().T
order = torch.randperm(pairs.shape[1])
held, train = pairs[:, order[:40]], pairs[:, order[40:]]
messages = torch.cat([train, train.flip(0)], 1)
features = torch.cat([place, torch.randn(NODES, 6)], 1)


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


network = Network(16)
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
logit = nn.functional.logsigmoid
for _ in range(12):
    z = network(features, messages)
    ends = torch.randint(NODES, (2, train.shape[1]))
    positive = (z[train[0]] * z[train[1]]).sum(1)
    negative = (z[ends[0]] * z[ends[1]]).sum(1)
    loss = -(logit(positive).mean() + logit(-negative).mean())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
