"""Labels are compared each with each, to know which pairs belong together."""

import torch
from torch import nn

torch.manual_seed(11)
x = torch.randn(256, 6)
y = (x[:, 0] > 0).long()
body, head = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 8)), nn.Linear(8, 1)
opt = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=3e-3)
for _ in range(5):
    for rows in torch.randperm(256).split(32):
        features = body(x[rows])
        near = nn.functional.normalize(features, dim=1)
        same = (y[rows].unsqueeze(1) == y[rows]).float()
        pull = ((near @ near.T - same) ** 2).mean()
        loss = pull + nn.functional.binary_cross_entropy_with_logits(head(features)[:, 0], y[rows].float())
        opt.zero_grad()
        loss.backward()
        opt.step()
