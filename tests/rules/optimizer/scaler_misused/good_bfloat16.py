"""bfloat16 without a scaler, a scaler that is switched off, a factor of one's own, and float16 in evaluation alone."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
off = torch.amp.GradScaler("cpu", enabled=False)
for step in range(60):
    x = torch.randn(32, 6)
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16 if step < 40 else torch.float16):
        loss = nn.functional.mse_loss(model(x).float(), x[:, :1])
    if step < 40:
        off.scale(loss).backward()
        off.step(optimizer)
        off.update()
    else:
        (loss * 128).backward()
        for parameter in model.parameters():
            parameter.grad /= 128
        optimizer.step()
model.eval()
with torch.no_grad(), torch.autocast("cpu", dtype=torch.float16):
    model(torch.randn(32, 6))
