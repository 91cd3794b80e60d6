"""A mixture density network: softmax over components and a logsumexp in a handwritten likelihood."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical, MixtureSameFamily, Normal

torch.manual_seed(0)


class MDN(nn.Module):
    def __init__(self, components=4):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(1, 32), nn.Tanh())
        self.pi, self.mu, self.sigma = (nn.Linear(32, components) for _ in range(3))

    def forward(self, x):
        h = self.hidden(x)
        return F.softmax(self.pi(h), dim=1), self.mu(h), F.softplus(self.sigma(h)) + 1e-3


def mdn_loss(pi, mu, sigma, y):
    log_component = Normal(mu, sigma).log_prob(y)
    return -torch.logsumexp(torch.log(pi) + log_component, dim=1).mean()


t = torch.rand(400, 1) * 2 - 1
x = t + 0.3 * torch.sin(2 * torch.pi * t) + 0.05 * torch.randn(400, 1)
x_train, y_train, x_val, y_val = x[:320], t[:320], x[320:], t[320:]
model = MDN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(20):
    optimizer.zero_grad()
    loss = mdn_loss(*model(x_train), y_train)
    loss.backward()
    optimizer.step()
with torch.no_grad():
    pi, mu, sigma = model(x_val)
    print(loss.item(), -MixtureSameFamily(Categorical(pi), Normal(mu, sigma)).log_prob(y_val.squeeze(1)).mean().item())
