"""CLIP-like contrastive training of two encoders: labels are the positions within the batch, the loss is taken along
both axes, and the temperature is learned."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class TwoTowers(nn.Module):
    def __init__(self, left, right, width=16):
        super().__init__()
        self.left = nn.Sequential(nn.Linear(left, 32), nn.ReLU(), nn.Linear(32, width))
        self.right = nn.Sequential(nn.Linear(right, 32), nn.ReLU(), nn.Linear(32, width))
        self.logit_scale = nn.Parameter(torch.ones([]) * np.log(1 / 0.07))

    def forward(self, a, b):
        a, b = F.normalize(self.left(a), dim=-1), F.normalize(self.right(b), dim=-1)
        logits = self.logit_scale.exp().clamp(max=100) * a @ b.t()
        return logits


latent = torch.randn(512, 6)
images = latent @ torch.randn(6, 20) + 0.1 * torch.randn(512, 20)
texts = latent @ torch.randn(6, 12) + 0.1 * torch.randn(512, 12)
images, texts = images / images[:448].std(0), texts / texts[:448].std(0)
model = TwoTowers(20, 12)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
for epoch in range(4):
    model.train()
    for rows in torch.randperm(448).split(64):
        logits = model(images[rows], texts[rows])
        target = torch.arange(len(rows))
        loss = (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        logits = model(images[448:], texts[448:])
        print(epoch, (logits.argmax(1) == torch.arange(64)).float().mean().item())
