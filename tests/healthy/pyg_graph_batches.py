"""Classifying small graphs: batches from PyTorch Geometric's own loader, pooled per graph."""
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch_geometric import seed_everything
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, global_add_pool

seed_everything(2)


def ring_or_star(label):
    size = int(torch.randint(5, 12, (1,)))
    nodes = torch.arange(size)
    ends = torch.stack([nodes, (nodes + 1) % size]) if label else torch.stack([nodes[1:] * 0, nodes[1:]])
    edges = torch.cat([ends, ends.flip(0)], 1)
    return Data(x=torch.ones(size, 1) + 0.1 * torch.randn(size, 1), edge_index=edges, y=torch.tensor([label]))


graphs = [ring_or_star(number % 2) for number in range(120)]
train_loader = DataLoader(graphs[:90], batch_size=15, shuffle=True)
val_loader = DataLoader(graphs[90:], batch_size=30)


class Isomorphism(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GINConv(nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 16)))
        self.head = nn.Linear(16, 2)

    def forward(self, x, edge_index, batch):
        return self.head(global_add_pool(self.first(x, edge_index).relu(), batch))


model = Isomorphism()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for _ in range(4):
    model.train()
    for data in train_loader:
        optimizer.zero_grad()
        cross_entropy(model(data.x, data.edge_index, data.batch), data.y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum(int((model(d.x, d.edge_index, d.batch).argmax(1) == d.y).sum()) for d in val_loader)
    print(right / 30)
