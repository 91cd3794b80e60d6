"""A neural ODE by Euler steps: the same small network is called many times in one pass, and a trajectory is the
target."""

import torch
from torch import nn

torch.manual_seed(0)
A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.1)
                nn.init.constant_(m.bias, 0)

    def forward(self, t, y):
        return self.net(y)


def odeint(f, y0, times):
    trajectory = [y0]
    for t0, t1 in zip(times[:-1], times[1:], strict=True):
        trajectory.append(trajectory[-1] + (t1 - t0) * f(t0, trajectory[-1]))
    return torch.stack(trajectory)


times = torch.linspace(0, 1, 11)
with torch.no_grad():
    start = torch.randn(128, 2)
    truth = odeint(lambda _, y: y @ A.T, start, times)
func = Dynamics()
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-2)
for iteration in range(30):
    rows = torch.randperm(100)[:32]
    optimizer.zero_grad()
    prediction = odeint(func, start[rows], times)
    loss = torch.mean(torch.abs(prediction - truth[:, rows]))
    loss.backward()
    optimizer.step()
with torch.no_grad():
    print(loss.item(), (odeint(func, start[100:], times) - truth[:, 100:]).abs().mean().item())
