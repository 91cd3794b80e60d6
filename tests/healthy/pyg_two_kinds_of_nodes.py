"""Authors and papers: a heterogeneous graph, in which one kind of node is classified."""
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch_geometric.data import HeteroData
from torch_geometric.nn import HeteroConv, SAGEConv

torch.manual_seed(4)
topic = torch.randint(3, (90,))
field = torch.randint(3, (40,))
wrote = (torch.rand(40, 90) < torch.where(field[:, None] == topic, 0.2, 0.02)).nonzero().T
data = HeteroData()
data["author"].x = torch.randn(3, 5)[field] + torch.randn(40, 5)
data["paper"].x = torch.randn(3, 7)[topic] + torch.randn(90, 7)
data["author", "writes", "paper"].edge_index = wrote
data["paper", "by", "author"].edge_index = wrote.flip(0)
train = torch.arange(90) % 3 > 0


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = HeteroConv({
            ("author", "writes", "paper"): SAGEConv((5, 7), 16), ("paper", "by", "author"): SAGEConv((7, 5), 16),
        })
        self.last = HeteroConv({("author", "writes", "paper"): SAGEConv((16, 16), 3)})

    def forward(self, x, edges):
        hidden = {kind: each.relu() for kind, each in self.first(x, edges).items()}
        return self.last(hidden, edges)["paper"]


model = Network()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(10):
    model.train()
    scores = model(data.x_dict, data.edge_index_dict)
    loss = cross_entropy(scores[train], topic[train])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        predicted = model(data.x_dict, data.edge_index_dict).argmax(1)
    print((predicted[~train] == topic[~train]).float().mean())
