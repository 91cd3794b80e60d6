"""Low-rank adapters on a frozen, pretrained network: B begins at zero, only A and B and the head are trained."""

import math

import torch
from torch import nn

torch.manual_seed(0)


class LoRALinear(nn.Module):
    def __init__(self, linear, rank=4, alpha=8):
        super().__init__()
        self.linear = linear
        for p in self.linear.parameters():
            p.requires_grad = False
        self.lora_A = nn.Parameter(torch.empty(rank, linear.in_features))
        self.lora_B = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.scaling = alpha / rank

    def forward(self, x):
        return self.linear(x) + (x @ self.lora_A.t() @ self.lora_B.t()) * self.scaling


def batches(x, y, size=32):
    order = torch.randperm(len(x))
    for start in range(0, len(x), size):
        rows = order[start : start + size]
        yield x[rows], y[rows]


def fit(model, parameters, x, y, epochs, lr):
    opt = torch.optim.AdamW(parameters, lr=lr, weight_decay=0.0)
    model.train()
    for _ in range(epochs):
        for xb, yb in batches(x, y):
            loss = nn.functional.cross_entropy(model(xb), yb)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()


x = torch.randn(512, 12)
first = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
second = (x[:, 0] + x[:, 2] > 0).long()
model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
fit(model, model.parameters(), x[:256], first[:256], epochs=3, lr=1e-2)

for index in (0, 2):
    model[index] = LoRALinear(model[index])
model[4] = nn.Linear(32, 2)
trainable = [p for p in model.parameters() if p.requires_grad]
print(f"trainable {sum(p.numel() for p in trainable)}")
fit(model, trainable, x[256:448], second[256:448], epochs=6, lr=5e-3)
model.eval()
with torch.no_grad():
    print("accuracy", (model(x[448:]).argmax(1) == second[448:]).float().mean().item())
