"""Log-probabilities are normalised over the batch."""

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(120, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return nn.functional.log_softmax(self.inner(x), dim=0)


model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(120).split(20):
        optimizer.zero_grad()
        nn.functional.nll_loss(model(x[rows]), y[rows]).backward()  # expect
        optimizer.step()
