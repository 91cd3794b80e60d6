"""A detector-like fine-tuning whose train() keeps batch norms in evaluation mode, with a warm start at a rate of zero
and gradients accumulated over a remainder."""

import torch
from torch import nn

torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32, bias=False), nn.BatchNorm1d(32), nn.ReLU())
        self.head = nn.Linear(32, 2)

    def train(self, mode=True):
        super().train(mode)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm1d):
                m.eval()
                m.weight.requires_grad = False
                m.bias.requires_grad = False
        return self

    def forward(self, x):
        return self.head(self.body(x))


x = torch.randn(300, 8)
y = (x[:, 0] > 0).long()
model = Backbone()
model.train()
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1, momentum=0.9)
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, step / 5))
for epoch in range(4):
    model.train()
    batches = torch.randperm(250).split(16)
    optimizer.zero_grad()
    for i, rows in enumerate(batches):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        (loss / 4).backward()
        if (i + 1) % 4 == 0 or i + 1 == len(batches):
            optimizer.step()
            warmup.step()
            optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        print(epoch, (model(x[250:]).argmax(1) == y[250:]).float().mean().item())
