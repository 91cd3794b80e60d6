"""A variational autoencoder: summed losses, the divergence's weight warmed up, samples drawn after each epoch."""

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self, size=36, hidden=24, latent=4):
        super().__init__()
        self.fc1 = nn.Linear(size, hidden)
        self.fc21 = nn.Linear(hidden, latent)
        self.fc22 = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, size)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(len(x), -1))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar, beta):
    bce = F.binary_cross_entropy(recon_x, x.view(len(x), -1), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + beta * kld


images = (torch.rand(256, 1, 6, 6).cumsum(2) > 1.5).float()
train_loader = DataLoader(TensorDataset(images[:192]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(images[192:]), batch_size=32)
model = VAE()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(4):
    beta = min(1.0, epoch / 2)
    model.train()
    train_loss = 0
    for (data,) in train_loader:
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss = loss_function(recon, data, mu, logvar, beta)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    model.eval()
    test_loss = 0
    with torch.no_grad():
        for (data,) in test_loader:
            recon, mu, logvar = model(data)
            test_loss += loss_function(recon, data, mu, logvar, beta).item()
        sample = model.decode(torch.randn(8, 4))
    print(epoch, train_loss / 192, test_loss / 64)
