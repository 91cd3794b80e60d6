"""Two tasks with a backward pass each, one optimizer for the body and one for both heads."""

import torch
from torch import nn

torch.manual_seed(0)
body, classify, measure = nn.Linear(6, 24), nn.Linear(24, 3), nn.Linear(24, 1)
for_body = torch.optim.SGD(body.parameters(), lr=0.05)
for_heads = torch.optim.Adam([*classify.parameters(), *measure.parameters()], lr=1e-2)
for _ in range(20):
    x, kind, size = torch.randn(32, 6), torch.randint(0, 3, (32,)), torch.randn(32)
    hidden = torch.relu(body(x))
    for_body.zero_grad()
    for_heads.zero_grad()
    nn.functional.cross_entropy(classify(hidden), kind).backward(retain_graph=True)
    nn.functional.mse_loss(measure(hidden).squeeze(-1), size).backward()
    for_heads.step()
    for_body.step()
