"""MAML on sines: adapted weights are functions of the weights (create_graph), the outer step goes through them."""

import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)


def sample_task():
    amplitude, phase = torch.rand(1) * 4 + 1, torch.rand(1) * 3

    def draw(k):
        x = torch.rand(k, 1) * 10 - 5
        return x, amplitude * torch.sin(x + phase)

    return draw


net = nn.Sequential(nn.Linear(1, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))
meta_opt = torch.optim.Adam(net.parameters(), lr=1e-3)
mse = nn.MSELoss()
inner_lr = 0.01
for iteration in range(15):
    meta_opt.zero_grad()
    total = 0.0
    for _ in range(4):
        draw = sample_task()
        fast = dict(net.named_parameters())
        for _ in range(2):
            x, y = draw(10)
            inner = mse(functional_call(net, fast, (x,)), y)
            grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
            fast = {name: p - inner_lr * g for (name, p), g in zip(fast.items(), grads, strict=True)}
        x, y = draw(10)
        outer = mse(functional_call(net, fast, (x,)), y) / 4
        outer.backward()
        total += outer.item()
    nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    meta_opt.step()
    if iteration % 5 == 0:
        print(iteration, total)
