"""A test mask that was never cleared of the training nodes."""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

torch.manual_seed(0)
kind = torch.arange(120) % 3
joined = torch.where(kind[:, None] == kind, 0.2, 0.02)
pairs = (torch.rand(120, 120) < joined).triu(1).nonzero().T
data = Data(x=torch.randn(3, 6)[kind] + torch.randn(120, 6), edge_index=torch.cat([pairs, pairs.flip(0)], 1), y=kind)
order = torch.randperm(120)
data.train_mask = torch.zeros(120, dtype=torch.bool)
data.train_mask[order[:60]] = True
data.test_mask = torch.ones(120, dtype=torch.bool)  # expect


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = GCNConv(6, 16), GCNConv(16, 3)

    def forward(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)


network = Network()
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
for _ in range(10):
    loss = cross_entropy(network(data.x, data.edge_index)[data.train_mask], data.y[data.train_mask])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
predicted = network(data.x, data.edge_index).argmax(1)
print((predicted == data.y)[data.test_mask].float().mean())
