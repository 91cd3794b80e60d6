"""BYOL: two noisy views, a predictor, and a target network that follows the online one by averages; no labels. In the
end a linear layer on the frozen features."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)


def mlp(inp, hidden, out):
    return nn.Sequential(nn.Linear(inp, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, out))


class BYOL(nn.Module):
    def __init__(self, tau=0.99):
        super().__init__()
        self.tau = tau
        self.online = mlp(16, 32, 16)
        self.predictor = mlp(16, 32, 16)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False

    @torch.no_grad()
    def update_target(self):
        for o, t in zip(self.online.parameters(), self.target.parameters(), strict=True):
            t.data = self.tau * t.data + (1 - self.tau) * o.data

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        loss = (
            2 - 2 * F.cosine_similarity(pa, tb.detach(), dim=-1) + 2 - 2 * F.cosine_similarity(pb, ta.detach(), dim=-1)
        )
        return loss.mean()


centres = torch.randn(4, 16)
labels = torch.randint(0, 4, (256,))
data = centres[labels] + 0.5 * torch.randn(256, 16)
byol = BYOL()
optimizer = torch.optim.SGD((p for p in byol.parameters() if p.requires_grad), lr=0.05, momentum=0.9)
for epoch in range(3):
    for rows in torch.randperm(256).split(64):
        x = data[rows]
        loss = byol(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        byol.update_target()

byol.eval()
with torch.no_grad():
    features = byol.online(data)
probe = nn.Linear(16, 4)
probe_optimizer = torch.optim.Adam(probe.parameters(), lr=1e-2)
for _ in range(30):
    rows = torch.randint(0, 192, (64,))
    loss = F.cross_entropy(probe(features[rows]), labels[rows])
    probe_optimizer.zero_grad()
    loss.backward()
    probe_optimizer.step()
print("accuracy", (probe(features[192:]).argmax(1) == labels[192:]).float().mean().item())
