"""Node classification with masks: few labelled nodes a class, validation for the best epoch, one test."""

import torch
from torch import nn
from torch.nn.functional import cross_entropy, dropout
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv
from torch_geometric.transforms import NormalizeFeatures, RandomNodeSplit
from torch_geometric.utils import to_undirected

torch.manual_seed(1)
NODES = 160
topic = torch.randint(4, (NODES,))
cites = torch.rand(NODES, NODES) < torch.where(topic[:, None] == topic, 0.12, 0.015)
pairs = cites.triu(1).nonzero().T
words = (torch.rand(NODES, 30) < 0.1 + 0.3 * torch.rand(4, 30)[topic]).float()
data = Data(x=words, edge_index=to_undirected(pairs), y=topic)
data = RandomNodeSplit(split="test_rest", num_train_per_class=8, num_val=40)(NormalizeFeatures()(data))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = GCNConv(30, 16), GCNConv(16, 4)

    def forward(self, data):
        x = dropout(data.x, training=self.training)
        x = dropout(self.first(x, data.edge_index).relu(), training=self.training)
        return self.last(x, data.edge_index)


@torch.no_grad()
def scores():
    model.eval()
    right = (model(data).argmax(-1) == data.y).float()
    return [right[mask].mean().item() for mask in (data.train_mask, data.val_mask, data.test_mask)]


model = Network()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
best = (0.0, 0.0)
for _ in range(15):
    model.train()
    optimizer.zero_grad()
    cross_entropy(model(data)[data.train_mask], data.y[data.train_mask]).backward()
    optimizer.step()
    _, val, test = scores()
    best = max(best, (val, test))
print(best)
