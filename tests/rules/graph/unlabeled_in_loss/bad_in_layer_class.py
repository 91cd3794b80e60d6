"""The same with a layer of PyTorch Geometric and a loss that is a module."""

import torch
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

torch.manual_seed(0)
kind = torch.arange(120) % 3
joined = torch.where(kind[:, None] == kind, 0.2, 0.02)
pairs = (torch.rand(120, 120) < joined).triu(1).nonzero().T
data = Data(x=torch.randn(3, 6)[kind] + torch.randn(120, 6), edge_index=torch.cat([pairs, pairs.flip(0)], 1), y=kind)
label = torch.where(torch.rand(120) < 0.4, -1, kind)


class Likelihood(torch.nn.Module):
    def forward(self, scores, label):
        rows = torch.arange(len(label))
        return (torch.logsumexp(scores, 1) - scores[rows, label]).mean()  # expect


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = GCNConv(6, 16), GCNConv(16, 3)

    def forward(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)


network = Network()
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
criterion = Likelihood()
for _ in range(8):
    optimizer.zero_grad()
    criterion(network(data.x, data.edge_index), label).backward()
    optimizer.step()
