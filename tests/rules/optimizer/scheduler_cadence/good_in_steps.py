"""Schedules in steps, stepped after each batch: decays, a cosine, restarts, one cycle, a warm-up, two in a row."""

import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(200, 6)
loader = DataLoader(TensorDataset(x, x[:, :2].sum(1, keepdim=True)), batch_size=20, shuffle=True)
epochs = 6
total = epochs * len(loader)
schedules = [
    lambda optimizer: lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.3),
    lambda optimizer: lr_scheduler.MultiStepLR(optimizer, milestones=[30, 50], gamma=0.1),
    lambda optimizer: lr_scheduler.ExponentialLR(optimizer, gamma=0.95),
    lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, T_max=total),
    lambda optimizer: lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=len(loader)),
    lambda optimizer: lr_scheduler.CyclicLR(optimizer, base_lr=1e-3, max_lr=2e-2, step_size_up=5),
    lambda optimizer: lr_scheduler.OneCycleLR(optimizer, max_lr=2e-2, total_steps=total),
    lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 20)),
    lambda optimizer: lr_scheduler.SequentialLR(optimizer, [
        lr_scheduler.LinearLR(optimizer, 0.1, total_iters=10), lr_scheduler.CosineAnnealingLR(optimizer, total - 10),
    ], milestones=[10]),
]
for schedule in schedules:
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    scheduler = schedule(optimizer)
    for _ in range(epochs):
        for inputs, targets in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
            scheduler.step()
