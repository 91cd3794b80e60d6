"""A variational autoencoder with a summed loss: its first value is far from any mean."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(16, 12)
        self.mean, self.spread = nn.Linear(12, 3), nn.Linear(12, 3)
        self.decode = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 16))

    def forward(self, x):
        hidden = F.relu(self.encode(x))
        mean, spread = self.mean(hidden), self.spread(hidden)
        code = mean + torch.randn_like(mean) * (0.5 * spread).exp()
        return torch.sigmoid(self.decode(code)), mean, spread


model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(15):
    x = (torch.rand(32, 16) > 0.5).float()
    made, mean, spread = model(x)
    loss = F.binary_cross_entropy(made, x, reduction="sum")
    loss = loss - 0.5 * torch.sum(1 + spread - mean.pow(2) - spread.exp())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
