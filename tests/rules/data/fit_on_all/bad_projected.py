"""Scaler and projection are fitted on everything in one pipeline, then comes the split into three parts."""

import numpy as np
import torch
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    rng = np.random.default_rng(1)
    torch.manual_seed(1)
    spectra = rng.gamma(2.0, 1.0, (500, 3)) @ rng.normal(size=(3, 20)) + 0.3 * rng.normal(size=(500, 20))
    kinds = (spectra[:, 0] > np.median(spectra[:, 0])).astype(int)
    reduced = make_pipeline(StandardScaler(), PCA(n_components=5)).fit_transform(spectra)  # expect
    x, x_test, y, y_test = train_test_split(reduced, kinds, test_size=0.2, random_state=0)
    x, x_val, y, y_val = train_test_split(x, y, test_size=0.25, random_state=0)
    parts = [
        TensorDataset(torch.tensor(a, dtype=torch.float32), torch.tensor(b))
        for a, b in ((x, y), (x_val, y_val), (x_test, y_test))
    ]
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(4):
        for inputs, labels in DataLoader(parts[0], batch_size=30, shuffle=True):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        accuracy(model, parts[1])
    accuracy(model, parts[2])


def accuracy(model, part):
    with torch.no_grad():
        hits = [(model(inputs).argmax(1) == labels).float() for inputs, labels in DataLoader(part, batch_size=50)]
    return torch.cat(hits).mean().item()


main()
