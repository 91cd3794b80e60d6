"""No training: a model is loaded, put into evaluation mode and applied to batches in order."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 3))


torch.manual_seed(0)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.pt")
    torch.save(build().state_dict(), path)
    model = build()
    model.load_state_dict(torch.load(path, weights_only=True))
model.eval()
data = TensorDataset(torch.randn(100, 8))
predictions = []
with torch.no_grad():
    for (x,) in DataLoader(data, batch_size=32):
        predictions.append(model(x).softmax(1).argmax(1))
print(torch.cat(predictions).bincount(minlength=3).tolist())
