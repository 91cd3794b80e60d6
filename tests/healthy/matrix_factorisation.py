"""Recommendation: sparse embeddings of users and items with SparseAdam, biases and the mean of the training ratings."""

import torch
from torch import nn

torch.manual_seed(0)
users, items, rank = 60, 40, 4
truth = torch.randn(users, rank) @ torch.randn(rank, items) * 0.4 + 3
pairs = torch.randperm(users * items)[:1600]
u, i = pairs // items, pairs % items
ratings = truth[u, i] + 0.1 * torch.randn(1600)
train, val = slice(0, 1400), slice(1400, 1600)


class Factors(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.users, self.items = nn.Embedding(users, 8, sparse=True), nn.Embedding(items, 8, sparse=True)
        self.user_bias, self.item_bias = nn.Embedding(users, 1, sparse=True), nn.Embedding(items, 1, sparse=True)
        for table, std in ((self.users, 0.1), (self.items, 0.1), (self.user_bias, 0.01), (self.item_bias, 0.01)):
            nn.init.normal_(table.weight, std=std)
        self.register_buffer("mean", mean)

    def forward(self, u, i):
        dots = (self.users(u) * self.items(i)).sum(1)
        return self.mean + dots + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1)


model = Factors(ratings[train].mean())
optimizer = torch.optim.SparseAdam(list(model.parameters()), lr=2e-2)
for epoch in range(6):
    order = torch.randperm(1400)
    total = 0.0
    for rows in order.split(100):
        prediction = model(u[rows], i[rows])
        loss = (prediction - ratings[rows]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(rows)
    with torch.no_grad():
        error = (model(u[val], i[val]) - ratings[val]).pow(2).mean().sqrt()
    print(epoch, total / 1400, error.item())
