"""The scaler's transform is forgotten for the held-out rows, which come through a loader."""

import numpy as np
import torch
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loader(x, y, **options):
    return DataLoader(TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y)), batch_size=40, **options)


def validate(model, batches):
    model.eval()
    with torch.inference_mode():
        hits = [(model(x).argmax(1) == y).float() for x, y in batches]  # expect
    return torch.cat(hits).mean().item()


def main():
    rng = np.random.default_rng(1)
    torch.manual_seed(1)
    table = rng.normal([50, 120, 8, 30, 70], [9, 25, 4, 6, 12], (420, 5))
    kinds = (table[:, 0] / 9 + table[:, 1] / 25 > 50 / 9 + 120 / 25).astype(np.int64)
    scaler = StandardScaler().fit(table[:300])
    training = loader(scaler.transform(table[:300]), kinds[:300], shuffle=True)
    validation = loader(table[300:], kinds[300:])
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(4):
        model.train()
        for x, y in training:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        validate(model, validation)


main()
