"""Graph attention over a citation graph in one direction with self-loops; indices instead of masks."""

import torch
from torch import nn
from torch.nn.functional import cross_entropy, dropout
from torch_geometric.data import Data
from torch_geometric.nn import GATConv
from torch_geometric.utils import add_self_loops

torch.manual_seed(1)
NODES = 160
topic = torch.randint(4, (NODES,))
cites = torch.rand(NODES, NODES) < torch.where(topic[:, None] == topic, 0.12, 0.015)
pairs = cites.triu(1).nonzero().T
later = torch.randperm(NODES).argsort()[pairs]
data = Data(x=torch.randn(4, 12)[topic] + torch.randn(NODES, 12), y=topic)
data.edge_index, _ = add_self_loops(pairs.gather(0, later.argsort(0)), num_nodes=NODES)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GATConv(12, 8, heads=4, dropout=0.2)
        self.last = GATConv(32, 4, heads=1, concat=False, dropout=0.2)

    def forward(self, x, edge_index):
        return self.last(dropout(nn.functional.elu(self.first(x, edge_index)), 0.2, self.training), edge_index)


order = torch.randperm(NODES)
train_index, val_index = order[:100], order[100:]
model = Attention()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(10):
    model.train()
    loss = cross_entropy(model(data.x, data.edge_index)[train_index], data.y[train_index])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        predicted = model(data.x, data.edge_index).argmax(1)
    print((predicted[val_index] == data.y[val_index]).float().mean(), (predicted == data.y).float().mean())
