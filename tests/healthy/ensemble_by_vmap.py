"""Several models at once by torch.func: stacked parameters, vmap over them, one optimizer; and bagging one by one."""

import copy

import torch
from torch import nn
from torch.func import functional_call, grad, stack_module_state, vmap

torch.manual_seed(0)
x = torch.randn(300, 6)
y = (x[:, 0] + x[:, 1] ** 2 > 1).long()


def build():
    return nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))


models = [build() for _ in range(4)]
params, buffers = stack_module_state(models)
skeleton = copy.deepcopy(models[0]).to("meta")


def loss_of(params, buffers, inputs, labels):
    return nn.functional.cross_entropy(functional_call(skeleton, (params, buffers), (inputs,)), labels)


for step in range(20):
    rows = torch.randint(0, 240, (32,))
    grads = vmap(grad(loss_of), in_dims=(0, 0, None, None))(params, buffers, x[rows], y[rows])
    with torch.no_grad():
        params = {name: p - 0.1 * grads[name] for name, p in params.items()}

members = []
for _ in range(3):
    chosen = torch.randint(0, 240, (240,))
    member = build()
    optimizer = torch.optim.Adam(member.parameters(), lr=1e-2)
    for rows in chosen.split(40):
        optimizer.zero_grad()
        nn.functional.cross_entropy(member(x[rows]), y[rows]).backward()
        optimizer.step()
    members.append(member.eval())
with torch.no_grad():
    votes = torch.stack([member(x[240:]).softmax(1) for member in members]).mean(0)
print((votes.argmax(1) == y[240:]).float().mean().item())
