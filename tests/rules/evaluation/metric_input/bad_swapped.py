"""Precision and recall with their arguments in the order of another library."""

import torch
from sklearn.metrics import accuracy_score, precision_score
from torch import nn

torch.manual_seed(8)
x = torch.randn(400, 6)
y = (x[:, 0] * x[:, 1] + 0.5 * torch.randn(400) > 0.6).long()
net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(8):
    for rows in torch.randperm(320).split(32):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
        opt.step()
net.eval()
with torch.no_grad():
    predicted = net(x[320:]).argmax(1)
print("accuracy", accuracy_score(predicted, y[320:]))
print("precision", precision_score(predicted, y[320:], zero_division=0))  # expect
