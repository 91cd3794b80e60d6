"""A method of the data set adds noise to each example while the set is made, in a loop."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(4)


class Noisy(Dataset):
    def __init__(self, examples, targets, scale=0.3):
        self.scale = scale
        self.examples = []
        for example in examples:  # expect
            self.examples.append(self._with_noise(example))
        self.targets = targets

    def _with_noise(self, example):
        return example + self.scale * torch.randn_like(example)

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, index):
        return self.examples[index], self.targets[index]


examples = torch.randn(100, 6)
loader = DataLoader(Noisy(examples, examples.sum(1, keepdim=True)), batch_size=25, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    for example, target in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(example), target).backward()
        optimizer.step()
