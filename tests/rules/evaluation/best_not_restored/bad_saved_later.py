"""The best epoch's checkpoint is put together without a copy and written when all epochs are over."""

import io

import torch
from torch import nn

torch.manual_seed(2)
x = torch.rand(64, 3)
y = x.sum(1, keepdim=True).sin() + 0.1 * torch.randn(64, 1)
net = nn.Sequential(nn.Linear(3, 16), nn.GELU(), nn.Linear(16, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.05)
best = None
for epoch in range(25):
    opt.zero_grad()
    loss = nn.functional.l1_loss(net(x[:40]), y[:40])
    loss.backward()
    opt.step()
    with torch.no_grad():
        score = nn.functional.l1_loss(net(x[40:]), y[40:]).item()
    if best is None or score < best["score"]:
        best = {"epoch": epoch, "score": score, "weights": net.state_dict()}  # expect
    if epoch - best["epoch"] >= 10:
        break
for group in opt.param_groups:
    group["lr"] = 0.01
for _ in range(3):
    opt.zero_grad()
    nn.functional.l1_loss(net(x[:40]), y[:40]).backward()
    opt.step()
file = io.BytesIO()
torch.save(best, file)
