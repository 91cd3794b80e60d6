"""A recurrent language model and its loss, one way, with steps first as older programs have them."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.cells, self.out = nn.Embedding(9, 12), nn.LSTM(12, 16), nn.Linear(16, 9)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        states, _ = self.cells(self.embedding(tokens))
        return self.out(states).view(-1, 9)


torch.manual_seed(4)
text = (torch.randint(0, 9, (1, 48)) + torch.arange(13)[:, None] * torch.randint(1, 4, (1, 48))) % 9
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    for columns in torch.randperm(48).split(12):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(text[:-1, columns]), text[1:, columns].reshape(-1)).backward()
        optimizer.step()
