"""A recurrent network over one long series: the state is carried over and detached, gradients are cleared by hand."""

import torch
from torch import nn

torch.manual_seed(0)
cell, out = nn.GRUCell(1, 16), nn.Linear(16, 1)
parameters = [*cell.parameters(), *out.parameters()]
optimizer = torch.optim.Adam(parameters, lr=1e-2)
series = torch.sin(torch.arange(401) / 5).unsqueeze(1)
state = torch.zeros(1, 16)
for begin in range(0, 400, 20):
    loss = torch.zeros(())
    state = state.detach()
    for moment in range(begin, begin + 20):
        state = cell(series[moment].unsqueeze(0), state)
        loss = loss + (out(state).squeeze() - series[moment + 1, 0]) ** 2 / 20
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.data.zero_()
    loss.backward()
    optimizer.step()
