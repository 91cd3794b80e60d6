"""A Siamese network on triplets that are drawn anew for each example, judged by nearest neighbours."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

random.seed(0)
torch.manual_seed(0)
centres = torch.randn(5, 10) * 2
labels = torch.arange(5).repeat(40)
points = centres[labels] + torch.randn(200, 10)


class Triplets(Dataset):
    def __init__(self, points, labels):
        self.points, self.labels = points, labels
        self.by_label = {c: (labels == c).nonzero().flatten().tolist() for c in labels.unique().tolist()}

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        label = self.labels[i].item()
        positive = random.choice(self.by_label[label])
        other = random.choice([c for c in self.by_label if c != label])
        return self.points[i], self.points[positive], self.points[random.choice(self.by_label[other])]


net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
loss_fn = nn.TripletMarginLoss(margin=1.0)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
loader = DataLoader(Triplets(points[:150], labels[:150]), batch_size=25, shuffle=True)
for epoch in range(4):
    net.train()
    for anchor, positive, negative in loader:
        optimizer.zero_grad()
        loss = loss_fn(net(anchor), net(positive), net(negative))
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        gallery, queries = net(points[:150]), net(points[150:])
        nearest = torch.cdist(queries, gallery).argmin(1)
        print(epoch, (labels[:150][nearest] == labels[150:]).float().mean().item())
