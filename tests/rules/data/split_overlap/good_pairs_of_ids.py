"""Users and items meet in training and in evaluation, their pairs don't: a pair of ids is the input."""

import torch
from torch import nn

torch.manual_seed(6)


class Tastes(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(40, 8), nn.Embedding(30, 8)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1)


pairs = torch.cartesian_prod(torch.arange(40), torch.arange(30))[torch.randperm(1200)]
ratings = ((pairs[:, 0] + pairs[:, 1]) % 3 == 0).float()
model = Tastes()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    for rows in torch.arange(900)[torch.randperm(900)].split(100):
        optimizer.zero_grad()
        scores = model(pairs[rows, 0], pairs[rows, 1])
        nn.functional.binary_cross_entropy_with_logits(scores, ratings[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        hits = ((model(pairs[900:, 0], pairs[900:, 1]) > 0) == (ratings[900:] > 0)).float().mean()
