"""Right ways round that look wrong: a negative loss to maximise, a worst group, patience counted first."""

import copy

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(120, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=5)
best_acc, best_state, waited, worst_acc, best_neg_loss = 0.0, None, 0, 1.0, -float("inf")
for _ in range(15):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x[:80]), y[:80])
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        right = (model(x[80:]).argmax(1) == y[80:]).float()
    acc = right.mean().item()
    neg_loss = -loss.item()
    plateau.step(acc)
    if neg_loss > best_neg_loss:
        best_neg_loss = neg_loss
    for half in right.split(20):
        if half.mean().item() < worst_acc:
            worst_acc = half.mean().item()
    if acc < best_acc + 1e-4:
        waited += 1
    else:
        best_acc, waited = acc, 0
        best_state = copy.deepcopy(model.state_dict())
    if waited >= 5:
        break
model.load_state_dict(best_state)
