"""Training that is cut in two: model, optimizer, schedule, generator and epoch are saved and all of them restored."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build():
    model = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)
    return model, optimizer, scheduler


def train(path, until):
    model, optimizer, scheduler = build()
    start, generator = 0, torch.Generator().manual_seed(0)
    if os.path.exists(path):
        checkpoint = torch.load(path, weights_only=True)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])
        generator.set_state(checkpoint["generator"])
        start = checkpoint["epoch"] + 1
    loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True, generator=generator)
    for epoch in range(start, until):
        model.train()
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(xb), yb)
            loss.backward()
            optimizer.step()
        scheduler.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch,
                    "scheduler": scheduler.state_dict(), "generator": generator.get_state()}, path)
        print(epoch, loss.item(), scheduler.get_last_lr())


torch.manual_seed(0)
x = torch.randn(256, 5)
y = x.prod(1, keepdim=True) + x[:, :1]
with tempfile.TemporaryDirectory() as folder:
    train(os.path.join(folder, "last.pt"), 3)
    train(os.path.join(folder, "last.pt"), 6)
