"""The mean over subjects of each subject's own AUC: people differ, and that is the question."""

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

torch.manual_seed(4)
subject = torch.arange(200) % 8
x = torch.randn(200, 5) + 0.4 * torch.randn(8, 5)[subject]
y = (x[:, 0] + 0.6 * torch.randn(200) > x[:, 0].median()).float()
known = subject < 4
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for _ in range(20):
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(model(x[known])[:, 0], y[known]).backward()
    optimizer.step()
model.eval()
aucs = []
for person in range(4, 8):
    rows = subject == person
    with torch.no_grad():
        score = model(x[rows])[:, 0]
    aucs.append(roc_auc_score(y[rows].numpy(), score.numpy()))
mean = np.mean(aucs)
