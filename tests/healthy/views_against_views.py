"""SimCLR: two augmented views of each image, the normalised temperature-scaled loss with itself masked out, a head that
is thrown away, and a linear layer on the frozen encoder's features."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)


def augment(x):
    x = x + 0.1 * torch.randn_like(x)
    flip = torch.rand(len(x)) < 0.5
    return torch.where(flip[:, None, None, None], x.flip(-1), x)


def nt_xent(z1, z2, temperature=0.5):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    similarity = z @ z.t() / temperature
    similarity.fill_diagonal_(-1e9)
    n = len(z1)
    targets = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(similarity, targets)


encoder = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 16)
)
projector = nn.Sequential(nn.ReLU(), nn.Linear(16, 8))
optimizer = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=1e-3)
labels = torch.randint(0, 3, (240,))
images = torch.randn(240, 1, 8, 8) * 0.3
images[torch.arange(240), 0, labels * 2] += 1.0
for epoch in range(3):
    for rows in torch.randperm(192).split(48):
        a, b = augment(images[rows]), augment(images[rows])
        loss = nt_xent(projector(encoder(a)), projector(encoder(b)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

encoder.requires_grad_(False).eval()
head = nn.Linear(16, 3)
sgd = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(5):
    for rows in torch.randperm(192).split(32):
        loss = F.cross_entropy(head(encoder(images[rows])), labels[rows])
        sgd.zero_grad()
        loss.backward()
        sgd.step()
with torch.no_grad():
    print("accuracy", (head(encoder(images[192:])).argmax(1) == labels[192:]).float().mean().item())
