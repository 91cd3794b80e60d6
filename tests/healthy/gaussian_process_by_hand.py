"""The marginal likelihood of a Gaussian process: kernels of all pairs, a Cholesky factor, three scalars to learn."""

import math

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(0, 1, 30).unsqueeze(1)
y = torch.sin(6 * x).squeeze(1) + 0.1 * torch.randn(30)


class GP(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_length = nn.Parameter(torch.tensor(-1.0))
        self.log_scale = nn.Parameter(torch.tensor(0.0))
        self.log_noise = nn.Parameter(torch.tensor(-2.0))

    def kernel(self, a, b):
        return self.log_scale.exp() * torch.exp(-0.5 * (a - b.t()) ** 2 / self.log_length.exp() ** 2)

    def forward(self, x, y):
        k = self.kernel(x, x) + (self.log_noise.exp() + 1e-5) * torch.eye(len(x))
        chol = torch.linalg.cholesky(k)
        alpha = torch.cholesky_solve(y.unsqueeze(1), chol)
        return 0.5 * (y @ alpha).squeeze() + chol.diagonal().log().sum() + 0.5 * len(x) * math.log(2 * math.pi)


gp = GP()
optimizer = torch.optim.Adam(gp.parameters(), lr=0.05)
for step in range(40):
    optimizer.zero_grad()
    loss = gp(x, y)
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
