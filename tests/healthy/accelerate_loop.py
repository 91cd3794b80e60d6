"""Hugging Face accelerate: prepared model, optimizer, loader and schedule; accumulation and clipping by the
accelerator.

Needs transformers' companion package."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 8)
y = (x[:, 0] - x[:, 1] > 0).long()
train = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True)
val = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.0)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=3 * len(train) // 2)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model, optimizer, train, val, scheduler = accelerator.prepare(model, optimizer, train, val, scheduler)
for epoch in range(3):
    model.train()
    for xb, yb in train:
        with accelerator.accumulate(model):
            loss = nn.functional.cross_entropy(model(xb), yb)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    model.eval()
    right = 0
    for xb, yb in val:
        with torch.no_grad():
            prediction = model(xb).argmax(-1)
        prediction, reference = accelerator.gather_for_metrics((prediction, yb))
        right += (prediction == reference).sum().item()
    print(epoch, right / 64)
