"""Link prediction: RandomLinkSplit, negatives drawn anew each epoch against the training edges, AUC on held-out."""

import torch
from torch import nn
from torch_geometric import seed_everything
from torch_geometric.data import Data
from torch_geometric.nn import SAGEConv
from torch_geometric.transforms import RandomLinkSplit
from torch_geometric.utils import negative_sampling, to_undirected
from torchmetrics.functional.classification import binary_auroc

seed_everything(3)
place = torch.rand(150, 2)
pairs = (torch.cdist(place, place) < 0.12).triu(1).nonzero().T
data = Data(x=torch.cat([place, torch.randn(150, 4)], 1), edge_index=to_undirected(pairs))
split = RandomLinkSplit(num_val=0.1, num_test=0.15, is_undirected=True, add_negative_train_samples=False)
train_data, val_data, test_data = split(data)


class Links(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = SAGEConv(6, 32), SAGEConv(32, 16)

    def encode(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)

    def decode(self, z, edge_label_index):
        return (z[edge_label_index[0]] * z[edge_label_index[1]]).sum(dim=-1)


model = Links()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()


def train():
    model.train()
    optimizer.zero_grad()
    z = model.encode(train_data.x, train_data.edge_index)
    positive = train_data.edge_label_index
    negative = negative_sampling(train_data.edge_index, train_data.num_nodes, positive.size(1))
    scores = model.decode(z, torch.cat([positive, negative], dim=-1))
    target = torch.cat([train_data.edge_label, train_data.edge_label.new_zeros(negative.size(1))])
    loss = criterion(scores, target)
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def test(part):
    model.eval()
    z = model.encode(part.x, part.edge_index)
    return binary_auroc(model.decode(z, part.edge_label_index).sigmoid(), part.edge_label.long()).item()


for _ in range(12):
    print(train(), test(val_data))
print(test(test_data))
