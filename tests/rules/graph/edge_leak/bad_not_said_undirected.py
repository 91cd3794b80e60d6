"""RandomLinkSplit isn't told that the graph is undirected, so it splits the directions apart."""

import torch
from torch.nn.functional import binary_cross_entropy_with_logits
from torch_geometric import seed_everything
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv
from torch_geometric.transforms import RandomLinkSplit
from torch_geometric.utils import negative_sampling

seed_everything(0)
place = torch.rand(150, 2)
pairs = (torch.cdist(place, place) < 0.12).triu(1).nonzero().T
data = Data(x=torch.cat([place, torch.randn(150, 6)], 1), edge_index=torch.cat([pairs, pairs.flip(0)], 1))
split = RandomLinkSplit(num_val=0.2, num_test=0.2, add_negative_train_samples=False)
train, val, test = split(data)


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = GCNConv(8, 16), GCNConv(16, 8)

    def forward(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)

    def decode(self, z, ends):
        return (z[ends[0]] * z[ends[1]]).sum(-1)  # expect


encoder = Encoder()
optimizer = torch.optim.Adam(encoder.parameters(), lr=0.01)
for _ in range(10):
    z = encoder(train.x, train.edge_index)
    negative = negative_sampling(train.edge_index, 150, train.edge_label_index.shape[1])
    given = encoder.decode(z, torch.cat([train.edge_label_index, negative], 1))
    target = torch.cat([train.edge_label, torch.zeros(negative.shape[1])])
    loss = binary_cross_entropy_with_logits(given, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        z = encoder(val.x, val.edge_index)
        print(((encoder.decode(z, val.edge_label_index) > 0) == val.edge_label.bool()).float().mean())
with torch.no_grad():
    z = encoder(test.x, test.edge_index)
    print(((encoder.decode(z, test.edge_label_index) > 0) == test.edge_label.bool()).float().mean())
