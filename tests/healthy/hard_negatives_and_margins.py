"""Metric learning: an additive angular margin on normalised weights and features, then hard triplets within the batch
and a cosine embedding loss."""

import math

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
labels = torch.arange(8).repeat(48)
points = torch.randn(8, 12)[labels] * 1.5 + torch.randn(384, 12)
order = torch.randperm(384)
train, test = order[:320], order[320:]


class ArcFace(nn.Module):
    def __init__(self, width, classes, scale=16.0, margin=0.3):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(classes, width))
        nn.init.xavier_uniform_(self.weight)
        self.scale, self.margin = scale, margin

    def forward(self, features, target):
        cosine = F.linear(F.normalize(features), F.normalize(self.weight)).clamp(-1 + 1e-6, 1 - 1e-6)
        shifted = torch.cos(torch.acos(cosine) + self.margin)
        shifted = torch.where(cosine > math.cos(math.pi - self.margin), shifted, cosine - self.margin)
        onehot = F.one_hot(target, len(self.weight)).float()
        return self.scale * (onehot * shifted + (1 - onehot) * cosine)


def hardest(features, target, margin=0.5):
    distance = torch.cdist(features, features)
    same = target[:, None] == target[None]
    positive = (distance * same).amax(1)
    negative = (distance + 1e6 * same).amin(1)
    return F.relu(positive - negative + margin).mean()


embed, margin = nn.Sequential(nn.Linear(12, 32), nn.PReLU(), nn.Linear(32, 16)), ArcFace(16, 8)
optimizer = torch.optim.AdamW([*embed.parameters(), *margin.parameters()], lr=3e-3, weight_decay=0)
for epoch in range(4):
    for rows in train[torch.randperm(320)].split(64):
        loss = F.cross_entropy(margin(embed(points[rows]), labels[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
optimizer = torch.optim.Adam(embed.parameters(), lr=1e-3)
for epoch in range(2):
    for rows in train[torch.randperm(320)].split(64):
        features = F.normalize(embed(points[rows]))
        partner = torch.randperm(len(rows))
        sign = torch.where(labels[rows] == labels[rows][partner], 1.0, -1.0)
        loss = hardest(features, labels[rows]) + 0.1 * F.cosine_embedding_loss(features, features[partner], sign)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    nearest = torch.cdist(embed(points[test]), embed(points[train])).argmin(1)
print((labels[train][nearest] == labels[test]).float().mean().item())
