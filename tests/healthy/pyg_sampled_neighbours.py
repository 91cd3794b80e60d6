"""GraphSAGE by hand-drawn neighbourhoods: each batch is a subgraph of its own."""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import k_hop_subgraph

torch.manual_seed(1)
NODES = 160
topic = torch.randint(4, (NODES,))
cites = torch.rand(NODES, NODES) < torch.where(topic[:, None] == topic, 0.12, 0.015)
pairs = cites.triu(1).nonzero().T
data = Data(x=torch.randn(4, 10)[topic] + torch.randn(NODES, 10), edge_index=torch.cat([pairs, pairs.flip(0)], 1))
order = torch.randperm(NODES)
train, val = order[:100], order[100:]
first, last = SAGEConv(10, 16), SAGEConv(16, 4)
optimizer = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=0.01)


def scores(nodes):
    around, edges, place, _ = k_hop_subgraph(nodes, 2, data.edge_index, relabel_nodes=True, num_nodes=NODES)
    return last(first(data.x[around], edges).relu(), edges)[place]


for _ in range(4):
    for batch in train[torch.randperm(len(train))].split(20):
        batch = batch.sort().values
        loss = cross_entropy(scores(batch), topic[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        held = val.sort().values
        print((scores(held).argmax(1) == topic[held]).float().mean())
