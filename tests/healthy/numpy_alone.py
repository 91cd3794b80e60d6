"""Logistic regression in numpy: torch is imported for its data tools and never trains."""

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(0)
torch.manual_seed(0)
X = rng.normal(size=(300, 5))
y = (X @ np.array([1.0, -2.0, 0.5, 0.0, 0.0]) > 0).astype(float)
loader = DataLoader(TensorDataset(torch.tensor(X[:240]), torch.tensor(y[:240])), batch_size=24, shuffle=True)
w, b = np.zeros(5), 0.0
for epoch in range(5):
    for xb, yb in loader:
        xb, yb = xb.numpy(), yb.numpy()
        p = 1 / (1 + np.exp(-(xb @ w + b)))
        w -= 0.5 * xb.T @ (p - yb) / len(yb)
        b -= 0.5 * (p - yb).mean()
print((((X[240:] @ w + b) > 0) == y[240:]).mean())
