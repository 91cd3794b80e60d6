"""An area under the curve of decisions."""

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

torch.manual_seed(7)
rows = torch.randn(360, 4)
sick = (rows[:, 0] + rows[:, 3] > 0.4).long()
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for _ in range(4):
    for part in torch.randperm(300).split(30):
        opt.zero_grad()
        nn.functional.cross_entropy(net(rows[part]), sick[part]).backward()
        opt.step()
net.eval()
found = []
with torch.no_grad():
    for part in rows[300:].split(30):
        found.append(net(part).argmax(1).numpy())
print(roc_auc_score(sick[300:].numpy(), np.concatenate(found)))  # expect
