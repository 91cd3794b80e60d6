"""Five folds: every row is a validation row once, a new model and a new scaler in each fold, one mean at the end."""

import numpy as np
import torch
from sklearn.datasets import load_iris
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.manual_seed(42)
X, y = load_iris(return_X_y=True)
scores = []
for fold, (train_idx, val_idx) in enumerate(StratifiedKFold(5, shuffle=True, random_state=42).split(X, y)):
    scaler = StandardScaler().fit(X[train_idx])
    X_train = torch.tensor(scaler.transform(X[train_idx]), dtype=torch.float32)
    X_val = torch.tensor(scaler.transform(X[val_idx]), dtype=torch.float32)
    y_train, y_val = torch.tensor(y[train_idx]), torch.tensor(y[val_idx])
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(15):
        model.train()
        permutation = torch.randperm(len(X_train))
        for i in range(0, len(X_train), 24):
            idx = permutation[i : i + 24]
            optimizer.zero_grad()
            loss = criterion(model(X_train[idx]), y_train[idx])
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        prediction = model(X_val).argmax(1)
    scores.append(f1_score(y_val, prediction, average="macro"))
    print(f"fold {fold}: {scores[-1]:.3f}")
print(np.mean(scores), np.std(scores))
