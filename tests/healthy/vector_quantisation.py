"""A vector-quantised autoencoder: straight-through gradients, detached terms for the codebook and the commitment."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class VectorQuantizer(nn.Module):
    def __init__(self, codes, dim, beta=0.25):
        super().__init__()
        self.beta = beta
        self.embedding = nn.Embedding(codes, dim)
        self.embedding.weight.data.uniform_(-1 / codes, 1 / codes)

    def forward(self, z):
        distances = (z**2).sum(1, keepdim=True) + (self.embedding.weight**2).sum(1) - 2 * z @ self.embedding.weight.t()
        indices = distances.argmin(1)
        quantized = self.embedding(indices)
        loss = F.mse_loss(quantized, z.detach()) + self.beta * F.mse_loss(quantized.detach(), z)
        return z + (quantized - z).detach(), loss, indices


class VQVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 8))
        self.vq = VectorQuantizer(16, 8)
        self.decoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 20))

    def forward(self, x):
        quantized, vq_loss, indices = self.vq(self.encoder(x))
        return self.decoder(quantized), vq_loss, indices


x = torch.randn(8, 20)[torch.randint(0, 8, (320,))] + 0.1 * torch.randn(320, 20)
train, valid = x[:256], x[256:]
model = VQVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(5):
    model.train()
    for batch in train[torch.randperm(256)].split(32):
        recon, vq_loss, _ = model(batch)
        loss = F.mse_loss(recon, batch) + vq_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        recon, _, indices = model(valid)
        print(epoch, F.mse_loss(recon, valid).item(), indices.unique().numel(), "codes in use")
