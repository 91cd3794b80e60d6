"""After each epoch the gradients of inputs are taken in evaluation mode."""

import torch
from torch import nn

torch.manual_seed(0)
images = torch.randn(96, 1, 6, 6)
classes = (images.mean((1, 2, 3)) > 0).long()
network = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2), nn.Linear(64, 2))
optimizer = torch.optim.Adam(network.parameters(), lr=5e-3)
for _epoch in range(3):
    network.train()
    for chosen in torch.randperm(96).split(24):
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(images[chosen]), classes[chosen]).backward()
        optimizer.step()
    network.eval()
    probe = images[:8].clone().requires_grad_()
    score = network(probe)[:, 1].sum()
    (slope,) = torch.autograd.grad(score, probe)
    print(float(slope.abs().mean()))
