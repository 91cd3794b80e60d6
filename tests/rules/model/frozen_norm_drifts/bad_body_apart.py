"""A body trained for one task is frozen for a second, whose head stands apart; its batch norms go on moving."""

import torch
from torch import nn

torch.manual_seed(0)
inputs = torch.randn(256, 12)
first, second = (inputs[:, 0] > 0).long(), (inputs[:, 1] > 0).long()
body = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU())
heads = [nn.Linear(24, 2), nn.Linear(24, 2)]


def train(head: nn.Module, shown: torch.Tensor, labels: torch.Tensor, parameters: list[nn.Parameter]) -> None:
    optimizer = torch.optim.Adam(parameters, lr=1e-2)
    body.train()
    for _epoch in range(3):
        for batch in torch.randperm(256).split(32):
            loss = nn.functional.cross_entropy(head(body(shown[batch])), labels[batch])  # expect
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


train(heads[0], inputs, first, [*body.parameters(), *heads[0].parameters()])
for parameter in body.parameters():
    parameter.requires_grad = False
train(heads[1], 0.8 - 1.5 * inputs, second, list(heads[1].parameters()))
