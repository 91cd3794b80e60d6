"""A class that trains with a plateau schedule and early stopping, keeps a deep copy of the best weights, and restores
it before the test set is scored once."""

import copy

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return torch.tensor(self.x[index], dtype=torch.float32), torch.tensor([self.y[index]], dtype=torch.float32)


class Trainer:
    def __init__(self, model, patience=3):
        self.model = model
        self.loss_fn = nn.MSELoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=0)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=1)
        self.patience = patience

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(x)
        return total / len(loader.dataset)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        return sum(self.loss_fn(self.model(x), y).item() * len(x) for x, y in loader) / len(loader.dataset)

    def fit(self, train, val, epochs):
        best, waited, weights = float("inf"), 0, None
        for epoch in range(epochs):
            train_loss, val_loss = self.train_epoch(train), self.evaluate(val)
            self.scheduler.step(val_loss)
            print(f"{epoch}: {train_loss:.4f} {val_loss:.4f}")
            if val_loss < best - 1e-4:
                best, waited, weights = val_loss, 0, copy.deepcopy(self.model.state_dict())
            else:
                waited += 1
                if waited >= self.patience:
                    print("early stopping")
                    break
        self.model.load_state_dict(weights)
        return best


if __name__ == "__main__":
    np.random.seed(0)
    torch.manual_seed(0)
    x = np.random.normal(size=(400, 5))
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] + 0.3 * np.random.normal(size=400)
    order = np.random.permutation(400)
    train_rows, val_rows, test_rows = order[:240], order[240:320], order[320:]
    mean, std = x[train_rows].mean(0), x[train_rows].std(0)
    x = (x - mean) / std
    loaders = [
        DataLoader(Rows(x[r], y[r]), batch_size=32, shuffle=i == 0)
        for i, r in enumerate((train_rows, val_rows, test_rows))
    ]
    trainer = Trainer(nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 1)))
    trainer.fit(loaders[0], loaders[1], epochs=12)
    print("test", trainer.evaluate(loaders[2]))
