"""Models that are scripted, traced, held in bfloat16 or channels last, and laid out lazily before their first pass."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(192, 1, 8, 8)
y = (x[:, 0, :4].mean((1, 2)) > 0).long()


def build():
    return nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 2))


def fit(model, inputs=x, lr=1e-2):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for rows in torch.randperm(160).split(16):
        optimizer.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(model(inputs[rows]).float(), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        print((model(inputs[160:]).argmax(1) == y[160:]).float().mean().item())


fit(torch.jit.script(build()))
fit(torch.jit.trace(build(), x[:2]))
fit(build().to(torch.bfloat16), x.to(torch.bfloat16), lr=5e-2)
fit(build().to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last))
lazy = nn.Sequential(nn.LazyConv2d(8, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
lazy(x[:2])
fit(lazy)
