"""Words are pooled by weights that were normalised along the axis of the scores, of which each word has one."""

import torch
import torch.nn.functional as F
from torch import nn


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(30, 12)
        self.read = nn.GRU(12, 12, batch_first=True)
        self.judge = nn.Linear(12, 1, bias=False)
        self.out = nn.Linear(12, 2)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        states, _ = self.read(self.words(ids))
        share = F.softmax(self.judge(states), dim=2)  # expect
        return self.out(torch.bmm(share.transpose(1, 2), states).squeeze(1))


torch.manual_seed(4)
ids = torch.randint(0, 30, (128, 7))
label = (ids == 3).any(1).long()
reader = Reader()
optimizer = torch.optim.Adam(reader.parameters(), lr=3e-3)
for _ in range(3):
    for rows in torch.randperm(128).split(32):
        loss = F.cross_entropy(reader(ids[rows]), label[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
