"""In the end the whole table is predicted for a plot, training rows and held-out rows alike, and a few are shown."""

import torch
from torch import nn

torch.manual_seed(3)
x = torch.rand(300, 3) * 4 - 2
y = (x**2).sum(1, keepdim=True).sqrt() + 0.05 * torch.randn(300, 1)
order = torch.randperm(300)
learned, held = order[:220], order[220:]
net = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(60):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x[learned]), y[learned]).backward()
    optimizer.step()
    if step % 10 == 9:
        with torch.no_grad():
            error = nn.functional.mse_loss(net(x[held]), y[held]).item()
with torch.no_grad():
    curve = net(x)
    shown = net(x[:12]).squeeze(1).tolist()
