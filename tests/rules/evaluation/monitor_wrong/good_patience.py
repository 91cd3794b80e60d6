import copy

import torch
from torch import nn

torch.manual_seed(6)
x = torch.randn(160, 5)
y = x[:, :1] * x[:, 1:2] + 0.3 * torch.randn(160, 1)
net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
best_error, waited, kept = float("inf"), 0, None
for _ in range(20):
    net.train()
    for rows in torch.randperm(120).split(20):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x[rows]), y[rows]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        error = nn.functional.mse_loss(net(x[120:]), y[120:]).item()
    if error < best_error:
        best_error = error
        kept = copy.deepcopy(net.state_dict())
        waited = 0
    else:
        waited += 1
        if waited >= 4:
            break
net.load_state_dict(kept)
