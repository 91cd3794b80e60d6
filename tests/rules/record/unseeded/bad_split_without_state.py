"""Torch is seeded; scikit-learn divides the rows by NumPy's global generator, which isn't."""

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn


def main():
    torch.manual_seed(0)
    rows, kinds = load_wine(return_X_y=True)
    parts = train_test_split(rows, kinds, test_size=0.25)  # expect
    x, held_out = (torch.tensor(part, dtype=torch.float32) for part in parts[:2])
    mean, deviation = x.mean(0), x.std(0)
    x, y = (x - mean) / deviation, torch.tensor(parts[2])
    net = nn.Sequential(nn.Linear(13, 16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for batch in torch.randperm(len(x)).split(19):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[batch]), y[batch]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        net((held_out - mean) / deviation)


main()
