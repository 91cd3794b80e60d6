"""A trainer that counts its micro-batches and steps when it has two."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.criterion = nn.BCEWithLogitsLoss()

    def epoch(self, loader):
        waiting = 0
        for x, y in loader:
            loss = self.criterion(self.model(x).squeeze(1), y)
            loss.backward()  # expect
            waiting += 1
            if waiting == 2:
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)
                waiting = 0


torch.manual_seed(1)
x = torch.randn(240, 4)
y = (x.sum(1) > 0).float()
trainer = Trainer(nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1)))
for _ in range(2):
    trainer.epoch(DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True))
