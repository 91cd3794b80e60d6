"""Weight and spectral normalisation, batch norm with cumulative averages, instance and group norms, an embedding whose
padding row stays zero, a custom autograd function (sign with a straight-through gradient)."""

import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

torch.manual_seed(0)


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1).float()


class Binary(nn.Module):
    def forward(self, x):
        return Sign.apply(x)


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 12, padding_idx=0)
        self.conv = nn.Conv1d(12, 16, 3, padding=1)
        self.norm = nn.BatchNorm1d(16, momentum=None)
        self.out = nn.Linear(16, 2)

    def forward(self, ids):
        h = torch.relu(self.norm(self.conv(self.embed(ids).transpose(1, 2))))
        return self.out(h.amax(2))


def fit(model, x, y, lr=5e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(4):
        model.train()
        for rows in torch.randperm(192).split(24):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        print((model(x[192:]).argmax(1) == y[192:]).float().mean().item())


x = torch.randn(240, 8)
y = (x[:, 0] + x[:, 1] > 0).long()
fit(nn.Sequential(weight_norm(nn.Linear(8, 32)), nn.ReLU(), weight_norm(nn.Linear(32, 2))), x, y)
fit(nn.Sequential(spectral_norm(nn.Linear(8, 32)), nn.ReLU(), spectral_norm(nn.Linear(32, 2))), x, y)
fit(nn.Sequential(nn.Linear(8, 32), nn.GroupNorm(4, 32), Binary(), nn.Linear(32, 2)), x, y)
images = torch.randn(240, 2, 6, 6)
images[:, 0] *= 1 + y.view(-1, 1, 1)
fit(
    nn.Sequential(nn.Conv2d(2, 8, 3), nn.InstanceNorm2d(8, affine=True), nn.ReLU(), nn.Flatten(), nn.Linear(128, 2)),
    images,
    y,
)
ids = torch.randint(1, 20, (240, 9))
ids[torch.arange(9) >= torch.randint(4, 10, (240, 1))] = 0
fit(Text(), ids, (ids == 7).any(1).long())
