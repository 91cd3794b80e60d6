"""Label propagation as a baseline, and a network that gets the training labels as features."""

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv, LabelPropagation

torch.manual_seed(1)
NODES = 160
topic = torch.randint(4, (NODES,))
cites = torch.rand(NODES, NODES) < torch.where(topic[:, None] == topic, 0.12, 0.015)
pairs = cites.triu(1).nonzero().T
data = Data(x=torch.randn(4, 10)[topic] + torch.randn(NODES, 10), edge_index=torch.cat([pairs, pairs.flip(0)], 1))
order = torch.randperm(NODES)
data.train_mask = torch.zeros(NODES, dtype=torch.bool).index_fill(0, order[:80], True)
data.test_mask = ~data.train_mask
propagated = LabelPropagation(num_layers=3, alpha=0.9)(topic, data.edge_index, mask=data.train_mask)
print((propagated.argmax(1) == topic)[data.test_mask].float().mean())

known = nn.functional.one_hot(topic, 4).float() * data.train_mask[:, None]
first, last = GCNConv(14, 16), GCNConv(16, 4)
optimizer = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=0.01)
for _ in range(10):
    shown = torch.rand(NODES) < 0.5  # half of the known labels are shown, the other half predicted
    asked = data.train_mask & ~shown
    x = torch.cat([data.x, known * shown[:, None]], 1)
    scores = last(first(x, data.edge_index).relu(), data.edge_index)
    loss = cross_entropy(scores[asked], topic[asked])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    x = torch.cat([data.x, known], 1)
    scores = last(first(x, data.edge_index).relu(), data.edge_index)
print((scores.argmax(1) == topic)[data.test_mask].float().mean())
