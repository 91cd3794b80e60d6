"""Deep sets, attention over a bag of instances (softmax over the bag) and a small PointNet with a maximum over
points."""

import torch
from torch import nn

torch.manual_seed(0)


class DeepSet(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 24))
        self.rho = nn.Sequential(nn.ReLU(), nn.Linear(24, 2))

    def forward(self, x):
        return self.rho(self.phi(x).sum(1) / 8)


class AttentionMIL(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(3, 24), nn.ReLU())
        self.attention = nn.Sequential(nn.Linear(24, 12), nn.Tanh(), nn.Linear(12, 1))
        self.head = nn.Linear(24, 2)

    def forward(self, bag):
        h = self.embed(bag)
        weights = torch.softmax(self.attention(h), dim=1)
        return self.head((weights * h).sum(1))


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Conv1d(3, 24, 1), nn.BatchNorm1d(24), nn.ReLU(), nn.Conv1d(24, 24, 1))
        self.head = nn.Sequential(nn.Linear(24, 24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 2))

    def forward(self, points):
        return self.head(self.mlp(points.transpose(1, 2)).amax(2))


bags = torch.randn(240, 8, 3)
labels = (bags[..., 0].amax(1) > 1.4).long()
for build in (DeepSet, AttentionMIL, PointNet):
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        model.train()
        for rows in torch.randperm(192).split(24):
            loss = nn.functional.cross_entropy(model(bags[rows]), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        print(build.__name__, (model(bags[192:]).argmax(1) == labels[192:]).float().mean().item())

attention, single = AttentionMIL(), torch.optim.Adam
optimizer = single(attention.parameters(), lr=1e-3)
for i in torch.randperm(192)[:60]:
    bag = bags[i][: int(torch.randint(3, 9, ()))].unsqueeze(0)
    loss = nn.functional.cross_entropy(attention(bag), labels[i].unsqueeze(0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
