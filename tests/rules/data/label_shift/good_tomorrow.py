"""Whether tomorrow rises is asked of today's change: a label that the next row holds is what is to be foretold."""

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(2)
torch.manual_seed(2)
change = rng.normal(size=700)
table = np.column_stack([change, np.abs(change) + 0.3 * rng.normal(size=700)])
features = torch.tensor(table[:-1], dtype=torch.float32)
rises = torch.tensor(change[1:] > 0).float()
border = 500
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _ in range(3):
    for rows in torch.randperm(border).split(50):
        optimizer.zero_grad()
        scores = model(features[rows]).squeeze(1)
        nn.functional.binary_cross_entropy_with_logits(scores, rises[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        hits = ((model(features[border:]).squeeze(1) > 0) == (rises[border:] > 0)).float().mean()
