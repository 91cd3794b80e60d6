"""A Fourier neural operator: complex weights, a relative error, double precision by default."""

import torch
from torch import nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


class SpectralConv(nn.Module):
    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        self.weights = nn.Parameter(torch.rand(width, width, modes, dtype=torch.cfloat) / width**2)

    def forward(self, x):
        spectrum = torch.fft.rfft(x).to(torch.cfloat)
        out = torch.zeros(len(x), x.size(1), x.size(-1) // 2 + 1, dtype=torch.cfloat)
        out[:, :, : self.modes] = torch.einsum("bix,iox->box", spectrum[:, :, : self.modes], self.weights)
        return torch.fft.irfft(out, n=x.size(-1)).to(x.dtype)


class FNO(nn.Module):
    def __init__(self, width=12, modes=6):
        super().__init__()
        self.lift = nn.Linear(2, width)
        self.spectral = nn.ModuleList(SpectralConv(width, modes) for _ in range(2))
        self.local = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(2))
        self.project = nn.Linear(width, 1)

    def forward(self, x):
        grid = torch.linspace(0, 1, x.size(1)).expand(len(x), -1)
        x = self.lift(torch.stack([x, grid], -1)).transpose(1, 2)
        for spectral, local in zip(self.spectral, self.local, strict=True):
            x = nn.functional.gelu(spectral(x) + local(x))
        return self.project(x.transpose(1, 2)).squeeze(-1)


def relative(prediction, target):
    return ((prediction - target).norm(dim=1) / target.norm(dim=1)).mean()


grid = torch.linspace(0, 1, 32)
frequency = torch.randint(1, 4, (160, 1))
inputs = torch.rand(160, 1) * torch.sin(2 * torch.pi * frequency * grid) + 0.5 * torch.cos(2 * torch.pi * grid)
targets = inputs.roll(4, 1) * 0.8 + 0.1
model = FNO()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
for epoch in range(4):
    model.train()
    for rows in torch.randperm(128).split(32):
        optimizer.zero_grad()
        loss = relative(model(inputs[rows]), targets[rows])
        loss.backward()
        optimizer.step()
    scheduler.step()
    model.eval()
    with torch.no_grad():
        print(epoch, loss.item(), relative(model(inputs[128:]), targets[128:]).item())
