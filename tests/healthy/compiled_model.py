"""torch.compile (without a code generator) around a model and around a step, next to bfloat16 autocast."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 8)
y = x[:, :3].argmax(1)


def build():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))


model = torch.compile(build(), backend="eager")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(192).split(32):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()

other = build()
sgd = torch.optim.SGD(other.parameters(), lr=0.1)


@torch.compile(backend="eager")
def compute_loss(inputs, labels):
    return nn.functional.cross_entropy(other(inputs), labels)


for _ in range(2):
    for rows in torch.randperm(192).split(32):
        sgd.zero_grad()
        loss = compute_loss(x[rows], y[rows])
        loss.backward()
        sgd.step()
with torch.no_grad():
    print(
        (model(x[192:]).argmax(1) == y[192:]).float().mean().item(),
        (other(x[192:]).argmax(1) == y[192:]).float().mean().item(),
    )
