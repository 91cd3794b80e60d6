"""Inductive: trained on the subgraph of the training nodes, evaluated in the whole graph."""

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import subgraph

torch.manual_seed(1)
NODES = 160
topic = torch.randint(4, (NODES,))
cites = torch.rand(NODES, NODES) < torch.where(topic[:, None] == topic, 0.12, 0.015)
pairs = cites.triu(1).nonzero().T
data = Data(x=torch.randn(4, 10)[topic] + torch.randn(NODES, 10), edge_index=torch.cat([pairs, pairs.flip(0)], 1))
order = torch.randperm(NODES)
seen, unseen = order[:90].sort().values, order[90:]
inner, _ = subgraph(seen, data.edge_index, relabel_nodes=True, num_nodes=NODES)


class Sage(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = SAGEConv(10, 16), SAGEConv(16, 4)

    def forward(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)


model = Sage()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(12):
    model.train()
    loss = cross_entropy(model(data.x[seen], inner), topic[seen])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        predicted = model(data.x, data.edge_index).argmax(1)
    print((predicted == topic)[unseen].float().mean())
