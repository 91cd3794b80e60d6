"""Logits of a model trained on logits are cut at 0.5 as if they were probabilities."""

import torch
from torch import nn

torch.manual_seed(0)
inputs = torch.randn(320, 6)
labels = (inputs[:, 0] - 0.5 * inputs[:, 1] + 0.3 * torch.randn(320) > 0).float()
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(4):
    model.train()
    for rows in torch.randperm(256).split(32):
        optimizer.zero_grad()
        loss = criterion(model(inputs[rows]).squeeze(1), labels[rows])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        scores = model(inputs[256:]).squeeze(1)
        guesses = (scores > 0.5).float()  # expect
        print(epoch, (guesses == labels[256:]).float().mean().item())
