"""A user and an item table are made beside the scoring net, whose parameters alone are trained."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(12)


class Recommender:
    def __init__(self, users: int, items: int) -> None:
        self.users, self.items = nn.Embedding(users, 8), nn.Embedding(items, 8)
        self.net = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=5e-3)  # expect

    def scores(self, who: torch.Tensor, what: torch.Tensor) -> torch.Tensor:
        return self.net(torch.cat([self.users(who), self.items(what)], 1)).squeeze(1)

    def step(self, who: torch.Tensor, what: torch.Tensor, liked: torch.Tensor) -> None:
        loss = F.binary_cross_entropy_with_logits(self.scores(who, what), liked)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


who, what = torch.randint(30, (400,)), torch.randint(20, (400,))
liked = ((who + what) % 2).float()
model = Recommender(30, 20)
for _ in range(3):
    for rows in torch.randperm(400).split(80):
        model.step(who[rows], what[rows], liked[rows])
