"""Each edge is split once, and messages pass both ways afterwards."""

import torch
from torch import nn

torch.manual_seed(0)
NODES = 120
place = torch.rand(NODES, 2)
near = torch.cdist(place, place) < 0.13
pairs = near.triu(1).nonzero().T
features = torch.cat([place, torch.randn(NODES, 6)], 1)
links = pairs
order = torch.randperm(links.shape[1])
held, train = links[:, order[:80]], links[:, order[80:]]
messages = torch.cat([train, train.flip(0)], 1).unique(dim=1)


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


def scores(z, ends):
    return (z[ends[0]] * z[ends[1]]).sum(1)


def unlinked(count):
    ends = torch.randint(NODES, (2, 4 * count))
    return ends[:, ~near[ends[0], ends[1]]][:, :count]


def loss_of(z, positive):
    negative = unlinked(positive.shape[1])
    given = torch.cat([scores(z, positive), scores(z, negative)])
    target = torch.cat([torch.ones(positive.shape[1]), torch.zeros(negative.shape[1])])
    return nn.functional.binary_cross_entropy_with_logits(given, target)


network = Network(16)
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
for _ in range(12):
    loss = loss_of(network(features, messages), train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        print(loss_of(network(features, messages), held).item())
