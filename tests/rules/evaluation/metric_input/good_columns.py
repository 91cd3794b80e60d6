"""Labels and logits are both columns; the logits are cut at 0, rankings are given them as they are."""

import torch
from sklearn.metrics import precision_score, roc_auc_score
from torch import nn

torch.manual_seed(10)
x = torch.randn(320, 5)
y = (x[:, :1] + 0.4 * torch.randn(320, 1) > 0).float()
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(5):
    for rows in torch.randperm(256).split(32):
        opt.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows]).backward()
        opt.step()
    with torch.no_grad():
        logits = net(x[256:])
        right = ((logits > 0).float() == y[256:]).float().mean()
        print(right.item(), roc_auc_score(y[256:, 0].numpy(), logits[:, 0].numpy()))
print(precision_score(y[256:, 0].numpy(), (logits[:, 0] > 0).numpy()))
