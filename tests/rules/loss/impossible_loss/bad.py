"""A binary cross entropy is held against standardised pictures, which are no probabilities."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
pictures = torch.rand(96, 16) * torch.rand(96, 1)
pictures = (pictures - pictures.mean()) / pictures.std()
coder = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16))
optimizer = torch.optim.Adam(coder.parameters(), lr=0.02)
for epoch in range(15):
    for x in pictures.split(32):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(coder(x), x)  # expect
        loss.backward()
        optimizer.step()
