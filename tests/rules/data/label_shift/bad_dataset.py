"""A data set hands out each row with the label of the row before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Log(Dataset):
    def __init__(self, rows):
        self.state = torch.randint(0, 3, (rows,))
        self.values = torch.randn(rows, 4) + 2 * nn.functional.one_hot(self.state, 4)
        self.values, self.state = self.values[1:], self.state[:-1].contiguous()

    def __len__(self):
        return len(self.state)

    def __getitem__(self, at):
        return self.values[at], self.state[at]


def train(model, data, epochs):
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.0)
    for _ in range(epochs):
        for values, states in DataLoader(data, batch_size=40, shuffle=True):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(values), states)  # expect
            loss.backward()
            optimizer.step()


torch.manual_seed(1)
train(nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3)), Log(800), epochs=3)
