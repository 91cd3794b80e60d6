"""Terms for the log, a term that a switch leaves out for now, a running sum, and an evaluation with gradients on."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
weight, log, total = 0.0, [], torch.zeros(())
held = torch.randn(64, 8)
for step in range(8):
    x = torch.randn(32, 8)
    y = x[:, :5].argmax(1)
    scores = model(x)
    loss = F.cross_entropy(scores, y)
    margin = F.multi_margin_loss(scores, y)
    if weight > 0:
        loss = loss + weight * margin
    plain = F.cross_entropy(scores.detach(), y)
    total = total + plain
    log.append({"margin": margin.item()})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    checked = F.cross_entropy(model(held), held[:, :5].argmax(1))
    log[-1]["held"] = float(checked.detach())
    model.train()
