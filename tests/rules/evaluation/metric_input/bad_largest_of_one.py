"""The class is the largest of one output."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(6)
features = torch.randn(240, 7)
target = (features[:, 2] > 0).float()
classifier = nn.Sequential(nn.Linear(7, 10), nn.GELU(), nn.Linear(10, 1))
adam = torch.optim.Adam(classifier.parameters(), lr=1e-2)
for _ in range(5):
    for start in range(0, 200, 25):
        batch = slice(start, start + 25)
        loss = F.binary_cross_entropy_with_logits(classifier(features[batch])[:, 0], target[batch])
        adam.zero_grad()
        loss.backward()
        adam.step()
with torch.inference_mode():
    output = classifier(features[200:])
    predicted = output.argmax(dim=1)  # expect
    print("accuracy", (predicted == target[200:]).float().mean().item())
