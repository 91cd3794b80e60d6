"""As in a question at Stack Overflow: every worker of a loader draws the same numbers, from a copy of one generator."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Augmented(Dataset):
    def __init__(self):
        self.x = torch.randn(320, 4)
        self.rng = np.random.default_rng(0)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        noisy = self.x[index] + torch.from_numpy(self.rng.normal(0, 0.5, 4)).float()
        return noisy, self.x[index].sum(0, keepdim=True)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in DataLoader(Augmented(), batch_size=64, shuffle=True, num_workers=2):  # expect
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
