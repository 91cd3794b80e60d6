"""Cleared once an epoch, where it stood by mistake: most steps add to those before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(160, 8), torch.randn(160, 1)), batch_size=16, shuffle=True)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
        self.criterion = nn.MSELoss()

    def epoch(self):
        self.optimizer.zero_grad()
        for x, y in loader:
            loss = self.criterion(self.model(x), y)
            loss.backward()  # expect
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 100.0)
            self.optimizer.step()


trainer = Trainer(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)))
for _ in range(3):
    trainer.epoch()
