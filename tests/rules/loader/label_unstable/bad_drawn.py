"""A data set draws the label as it reads, instead of when it is made."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

random.seed(1)
torch.manual_seed(1)


class Sides(Dataset):
    def __init__(self, count):
        self.points = torch.randn(count, 6)

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return {"point": self.points[index], "side": random.randrange(2)}


net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.AdamW(net.parameters(), lr=0.005)
for _ in range(3):
    if _ == 0:
        batches = DataLoader(Sides(128), batch_size=16, shuffle=True)  # expect
    for batch in batches:
        loss = nn.CrossEntropyLoss()(net(batch["point"]), batch["side"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
