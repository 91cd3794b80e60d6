"""A class for exponential averages that swaps them in for the evaluation and the weights back in for training."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class EMA:
    def __init__(self, model, decay):
        self.model, self.decay, self.shadow, self.backup = model, decay, {}, {}

    def register(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.data.clone()

    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = (1.0 - self.decay) * param.data + self.decay * self.shadow[name]

    def apply_shadow(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.backup[name] = param.data
                param.data = self.shadow[name]

    def restore(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                param.data = self.backup[name]
        self.backup = {}


def main():
    torch.manual_seed(0)
    x = torch.randn(400, 10)
    y = (x @ torch.randn(10) > 0).float()
    train_set, val_set = random_split(TensorDataset(x, y), [320, 80])
    train_loader, val_loader = DataLoader(train_set, 32, shuffle=True), DataLoader(val_set, 80)
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1), nn.Flatten(0))
    ema = EMA(model, 0.9)
    ema.register()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.BCEWithLogitsLoss()
    for _ in range(4):
        model.train()
        for xb, yb in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            ema.update()
        ema.apply_shadow()
        model.eval()
        with torch.no_grad():
            for xb, yb in val_loader:
                print(((torch.sigmoid(model(xb)) > 0.5) == yb.bool()).float().mean().item())
        ema.restore()


if __name__ == "__main__":
    main()
