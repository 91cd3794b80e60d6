"""The table's last column, the class itself, was left among the features."""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

torch.manual_seed(0)
kind = torch.arange(120) % 3
joined = torch.where(kind[:, None] == kind, 0.2, 0.02)
pairs = (torch.rand(120, 120) < joined).triu(1).nonzero().T
data = Data(x=torch.randn(3, 5)[kind] + torch.randn(120, 5), edge_index=torch.cat([pairs, pairs.flip(0)], 1), y=kind)
data.train_mask = torch.arange(120) % 4 < 2
data.x = torch.cat([data.x, data.y[:, None].float()], 1)


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = GCNConv(6, 16), GCNConv(16, 3)

    def forward(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)


network = Network()
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
for _ in range(8):
    scores = network(data.x, data.edge_index)
    loss = cross_entropy(scores[data.train_mask], data.y[data.train_mask])  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
