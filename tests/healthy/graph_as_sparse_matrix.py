"""A graph without layers of a library: a normalised sparse adjacency matrix, and half of the labels unknown."""
import torch
from torch import nn
from torch.nn.functional import cross_entropy

torch.manual_seed(6)
NODES = 140
topic = torch.randint(3, (NODES,))
joined = (torch.rand(NODES, NODES) < torch.where(topic[:, None] == topic, 0.15, 0.02)).triu(1)
joined = (joined | joined.T).float() + torch.eye(NODES)
scale = joined.sum(1).rsqrt()
adjacency = (scale[:, None] * joined * scale).to_sparse()
x = torch.randn(3, 9)[topic] + torch.randn(NODES, 9)
label = torch.where(torch.rand(NODES) < 0.5, -1, topic)
train = torch.arange(NODES) % 4 > 0


class Convolution(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.linear = nn.Linear(width, out)

    def forward(self, x):
        return torch.sparse.mm(adjacency, self.linear(x))


model = nn.Sequential(Convolution(9, 16), nn.ReLU(), Convolution(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(12):
    loss = cross_entropy(model(x)[train], label[train], ignore_index=-1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        print((model(x).argmax(1) == topic)[~train].float().mean())
