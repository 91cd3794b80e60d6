"""Unlabelled rows are labelled by the model itself within the training step, as consistency training does."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(13)
x = torch.randn(240, 8)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long()
labelled, unlabelled = x[:80], x[80:]
model = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(5):
    model.train()
    for rows in torch.randperm(80).split(20):
        others = unlabelled[torch.randint(len(unlabelled), (40,))]
        with torch.no_grad():
            confidence, guessed = model(others).softmax(1).max(1)
        sure = confidence > 0.5
        noisy = model(others + 0.1 * torch.randn_like(others))
        supervised = F.cross_entropy(model(labelled[rows]), y[rows])
        unsupervised = (F.cross_entropy(noisy, guessed, reduction="none") * sure).mean()
        optimizer.zero_grad()
        (supervised + unsupervised).backward()
        optimizer.step()
model.eval()
