import torch
from torch import nn


class Patience:
    def __init__(self, epochs):
        self.epochs = epochs
        self.reset()
        self.best_loss = float("inf")

    def reset(self):
        self.counter = 0

    def is_over(self, loss):
        if loss < self.best_loss - 1e-4:
            self.best_loss = loss
            self.reset()
        else:
            self.counter += 1
        return self.counter >= self.epochs


torch.manual_seed(6)
x = torch.randn(160, 5)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
patience, rejected, best_error = Patience(4), 0, 1.0
for _ in range(15):
    net.train()
    for rows in torch.randperm(120).split(20):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        scores = net(x[120:])
    error = (scores.argmax(1) != y[120:]).float().mean().item()
    if error < best_error:
        best_error = error
    else:
        rejected += 1  # for the report alone
    if patience.is_over(nn.functional.cross_entropy(scores, y[120:]).item()):
        break
print(f"{rejected} epochs were no better than {best_error:.2f}")
