"""Self-supervision: images are turned by chance, and the turn is the label."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(12)


class Turned(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        turn = int(torch.randint(4, ()))
        return self.images[index].rot90(turn), turn


images = torch.rand(96, 6, 6)
images[:, 0] += 1
loader = DataLoader(Turned(images), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(36, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(4):
    for turned, turn in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(turned), turn).backward()
        optimizer.step()
