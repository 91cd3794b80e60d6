"""Every epoch is one step on all data, and the schedule for epochs is stepped after each."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(120, 4)
y = (x[:, 0] * x[:, 1] > 0).float().unsqueeze(1)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30, gamma=0.5)
for _ in range(120):
    model.train()
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(model(x[:90]), y[:90]).backward()
    optimizer.step()
    scheduler.step()
    model.eval()
    with torch.no_grad():
        nn.functional.binary_cross_entropy_with_logits(model(x[90:]), y[90:])
