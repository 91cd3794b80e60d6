"""All edges are known, and some of their classes: messages pass over the evaluated edges too."""

import torch
from torch import nn

torch.manual_seed(0)
NODES = 120
place = torch.rand(NODES, 2)
near = torch.cdist(place, place) < 0.13
pairs = near.triu(1).nonzero().T
features = torch.cat([place, torch.randn(NODES, 6)], 1)
kind = (place[pairs].sum((0, 2)) > 2).long()
order = torch.randperm(pairs.shape[1])
train, held = order[:150], order[150:]
edges = torch.cat([pairs, pairs.flip(0)], 1)


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


network, head = Network(16), nn.Linear(32, 2)
optimizer = torch.optim.Adam([*network.parameters(), *head.parameters()], lr=0.01)


def classes(some):
    z = network(features, edges)
    return head(torch.cat([z[pairs[0, some]], z[pairs[1, some]]], 1))


for _ in range(12):
    loss = nn.functional.cross_entropy(classes(train), kind[train])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        print((classes(held).argmax(1) == kind[held]).float().mean())
