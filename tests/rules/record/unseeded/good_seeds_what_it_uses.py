"""Each source that is used has its own seed, and none is the global one; a name is drawn, which no number follows."""

import random

import numpy as np
import torch
from sklearn.model_selection import KFold, train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

run = f"run-{random.randint(0, 9999)}"
rng = np.random.default_rng(7)
features = rng.normal(size=(100, 4))
labels = (features[:, 0] > 0).astype(np.int64)
train_x, test_x, train_y, test_y = train_test_split(features, labels, test_size=0.2, random_state=0)
folds = list(KFold(4).split(train_x))
generator = torch.Generator().manual_seed(7)
data = TensorDataset(torch.tensor(train_x, dtype=torch.float32), torch.tensor(train_y))
model = nn.Linear(4, 2)
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_(0.1 * torch.randn(parameter.shape, generator=generator))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    for inputs, targets in DataLoader(data, batch_size=20, shuffle=True, generator=generator):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    for inputs, _ in DataLoader(data, batch_size=80):
        model(inputs)
sample = np.random.choice(100, 5)
