"""A network for nodes ends in a softmax; the mask of the training nodes stands between it and the loss."""

import torch
import torch.nn.functional as F
from torch import nn


class Diffusion(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.inner = nn.Linear(features, hidden)
        self.outer = nn.Linear(hidden, classes)

    def forward(self, x, adjacency):
        x = F.relu(adjacency @ self.inner(x))
        return F.softmax(adjacency @ self.outer(x), dim=-1)


torch.manual_seed(3)
nodes = 60
links = (torch.rand(nodes, nodes) < 0.08).float()
links = ((links + links.T) > 0).float() + torch.eye(nodes)
adjacency = links / links.sum(1, keepdim=True)
labels = torch.arange(nodes) % 4
features = F.one_hot(labels, 4).float() + 0.4 * torch.randn(nodes, 4)
train_mask = torch.rand(nodes) < 0.5
net = Diffusion(4, 16, 4)
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
for _ in range(12):
    optimizer.zero_grad()
    out = net(features, adjacency)
    loss = F.cross_entropy(out[train_mask], labels[train_mask])  # expect
    loss.backward()
    optimizer.step()
