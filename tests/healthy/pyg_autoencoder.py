"""A graph autoencoder by PyTorch Geometric's own class and loss."""

import torch
from torch import nn
from torch_geometric import seed_everything
from torch_geometric.data import Data
from torch_geometric.nn import GAE, GCNConv
from torch_geometric.transforms import RandomLinkSplit

seed_everything(3)
place = torch.rand(150, 2)
pairs = (torch.cdist(place, place) < 0.12).triu(1).nonzero().T
data = Data(x=torch.cat([place, torch.randn(150, 4)], 1), edge_index=torch.cat([pairs, pairs.flip(0)], 1))
split = RandomLinkSplit(
    num_val=0.1, num_test=0.1, is_undirected=True, split_labels=True, add_negative_train_samples=False,
)
train_data, val_data, test_data = split(data)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = GCNConv(6, 32), GCNConv(32, 16)

    def forward(self, x, edge_index):
        return self.last(self.first(x, edge_index).relu(), edge_index)


model = GAE(Encoder())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(12):
    model.train()
    optimizer.zero_grad()
    z = model.encode(train_data.x, train_data.edge_index)
    loss = model.recon_loss(z, train_data.pos_edge_label_index)
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        z = model.encode(val_data.x, val_data.edge_index)
        print(model.test(z, val_data.pos_edge_label_index, val_data.neg_edge_label_index))
