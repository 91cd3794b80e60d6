"""A denoising autoencoder with tied weights by hand, layer by layer first, then as a whole."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
basis = torch.randn(5, 30)
data = torch.sigmoid(torch.randn(400, 5) @ basis)


class Tied(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden, inputs))
        self.hidden_bias, self.visible_bias = nn.Parameter(torch.zeros(hidden)), nn.Parameter(torch.zeros(inputs))
        nn.init.xavier_uniform_(self.weight)

    def encode(self, x):
        return torch.sigmoid(F.linear(x, self.weight, self.hidden_bias))

    def decode(self, h):
        return torch.sigmoid(F.linear(h, self.weight.t(), self.visible_bias))

    def forward(self, x):
        return self.decode(self.encode(x))


def pretrain(layer, rows):
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    for _ in range(3):
        for batch in rows[torch.randperm(len(rows))].split(40):
            noisy = batch * (torch.rand_like(batch) > 0.2)
            loss = F.binary_cross_entropy(layer(noisy), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        return layer.encode(rows)


train, val = data[:320], data[320:]
first, second = Tied(30, 16), Tied(16, 6)
pretrain(second, pretrain(first, train))
optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=1e-3)
for epoch in range(3):
    for batch in train[torch.randperm(320)].split(40):
        out = first.decode(second(first.encode(batch)))
        loss = F.mse_loss(out, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        print(epoch, F.mse_loss(first.decode(second(first.encode(val))), val).item())
