"""A plain recurrence with large weights meets a long sequence now and then, and its gradients are clipped."""

import torch
from torch import nn

torch.manual_seed(0)
weights = nn.ParameterList([nn.Parameter(0.35 * torch.randn(8, 8)), nn.Parameter(0.3 * torch.randn(8, 1))])
optimizer = torch.optim.SGD(weights.parameters(), lr=1e-3)
for step in range(40):
    length = 40 if step % 8 == 0 and step else 3
    state = torch.zeros(16, 8)
    inputs = torch.randn(length, 16, 8)
    for given in inputs:
        state = state @ weights[0] + given
    optimizer.zero_grad()
    loss = nn.functional.huber_loss(state @ weights[1], inputs[-1][:, :1])
    loss.backward()
    nn.utils.clip_grad_norm_(weights.parameters(), 1.0)
    optimizer.step()
