import torch
from torch import nn
from torch_geometric.nn import SAGEConv

# The last evaluation passes messages over the edges that the one before it predicted, which were known by then.
torch.manual_seed(3)
nodes = 120
place = torch.rand(nodes, 2)
near = torch.triu(torch.cdist(place, place) < 0.16, 1)
edges = near.nonzero().t()
edges = edges[:, torch.randperm(edges.shape[1])]
first, second = int(0.7 * edges.shape[1]), int(0.85 * edges.shape[1])
seen, validated, tested = edges[:, :first], edges[:, first:second], edges[:, second:]
features = torch.cat([place, torch.randn(nodes, 3)], 1)


def both_ways(pairs):
    return torch.cat([pairs, pairs.flip(0)], 1)


def strangers(count):
    pairs = (~(near | near.t() | torch.eye(nodes, dtype=torch.bool))).nonzero().t()
    return pairs[:, torch.randperm(pairs.shape[1])[:count]]


class Links(nn.Module):
    def __init__(self):
        super().__init__()
        self.around = SAGEConv(5, 16)
        self.score = nn.Linear(16, 1)

    def forward(self, edge_index, pairs):
        h = torch.tanh(self.around(features, edge_index))
        return self.score(h[pairs[0]] * h[pairs[1]]).squeeze(1)


def loss_of(messages, positives):
    pairs = torch.cat([positives, strangers(positives.shape[1])], 1)
    truth = torch.arange(pairs.shape[1]) < positives.shape[1]
    return nn.functional.binary_cross_entropy_with_logits(net(messages, pairs), truth.float())


net = Links()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(12):
    optimizer.zero_grad()
    loss_of(both_ways(seen), seen).backward()
    optimizer.step()
with torch.no_grad():
    print(loss_of(both_ways(seen), validated).item())
    print(loss_of(both_ways(torch.cat([seen, validated], 1)), tested).item())
