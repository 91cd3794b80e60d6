"""Papers cite earlier ones, five each: edges lead from lower to higher numbers by nature."""

import torch
from torch import nn

torch.manual_seed(0)
NODES = 150
kind = torch.arange(NODES) % 3
citing = torch.arange(6, NODES).repeat_interleave(5)
cited = citing - 1 - (torch.rand(len(citing)) * (citing - 1).clamp(max=60)).long()
edges = torch.stack([cited, citing])
features = 0.5 * torch.randn(3, 8)[kind] + torch.randn(NODES, 8)
train = torch.arange(NODES) % 5 > 0


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
    loss = nn.functional.cross_entropy(network(features, edges)[train], kind[train])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
