"""As in transformers 33844: an attention path is given its dropout probability whatever the mode."""

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.qkv, self.out, self.dropout = nn.Linear(width, 3 * width), nn.Linear(width, width), dropout

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return x + self.out(F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout))  # expect


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.attention, self.head = nn.Linear(4, 16), Attention(16, 0.3), nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.attention(self.inp(x)).mean(1))


torch.manual_seed(0)
x = torch.randn(240, 6, 4)
y = (x[:, 0, 0] > 0).long()
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(2):
    model.train()
    for rows in torch.randperm(192).split(64):
        optimizer.zero_grad()
        F.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print((model(x[192:]).argmax(1) == y[192:]).float().mean().item())
