"""The log-variances that weigh two tasks are in no module, and the optimizer isn't given them."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(5)

x = torch.randn(200, 6)
level, sign = x[:, 0] + 0.2 * torch.randn(200), (x[:, 1] > 0).float()
trunk, regress, classify = nn.Sequential(nn.Linear(6, 16), nn.Tanh()), nn.Linear(16, 1), nn.Linear(16, 1)
log_variances = nn.Parameter(torch.zeros(2))  # expect
weights = [*trunk.parameters(), *regress.parameters(), *classify.parameters()]
optimizer = torch.optim.Adam(weights, lr=5e-3)
for _ in range(20):
    rows = torch.randperm(200)[:64]
    hidden = trunk(x[rows])
    first = F.mse_loss(regress(hidden).squeeze(1), level[rows])
    second = F.binary_cross_entropy_with_logits(classify(hidden).squeeze(1), sign[rows])
    both = torch.stack([first, second])
    loss = (torch.exp(-log_variances) * both + log_variances).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
