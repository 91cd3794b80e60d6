"""A handwritten focal loss on an imbalanced binary task, with a prior in the last bias and average precision as the
score over all rows."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import average_precision_score
from sklearn.model_selection import train_test_split

np.random.seed(0)
torch.manual_seed(0)
X = np.random.randn(1200, 8).astype("float32")
y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * np.random.randn(1200) > 2.3).astype("float32")
X_train, X_val, y_train, y_val = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
X_train, X_val, y_train, y_val = map(torch.from_numpy, (X_train, X_val, y_train, y_val))


def focal_loss(logits, targets, alpha=0.75, gamma=2.0):
    bce = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    pt = torch.exp(-bce)
    weight = alpha * targets + (1 - alpha) * (1 - targets)
    return (weight * (1 - pt) ** gamma * bce).mean()


class Net(nn.Module):
    def __init__(self, prior):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
        nn.init.constant_(self.layers[-1].bias, float(np.log(prior / (1 - prior))))

    def forward(self, x):
        return self.layers(x).squeeze(1)


net = Net(float(y_train.mean()))
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
batch = 64
for epoch in range(6):
    net.train()
    perm = torch.randperm(len(X_train))
    for i in range(0, len(X_train), batch):
        idx = perm[i : i + batch]
        optimizer.zero_grad()
        loss = focal_loss(net(X_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        scores = torch.sigmoid(net(X_val)).numpy()
    print(epoch, average_precision_score(y_val.numpy(), scores))
