import torch
from torch import nn


class Patience:
    def __init__(self, epochs):
        self.epochs, self.best_loss, self.early_stop = epochs, None, False
        self.counter = 0

    def __call__(self, loss):
        if self.best_loss is None or loss < self.best_loss:
            self.best_loss = loss
        else:
            self.counter += 1  # expect
            if self.counter >= self.epochs:
                self.early_stop = True


torch.manual_seed(6)
x = torch.randn(160, 5)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
patience = Patience(4)
for _ in range(15):
    net.train()
    for rows in torch.randperm(120).split(20):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        patience(nn.functional.cross_entropy(net(x[120:]), y[120:]).item())
    if patience.early_stop:
        break
