"""Stochastic weight averaging with its own schedule, and batch-norm statistics refreshed before the evaluation."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(320, 10)
classes = (features[:, 0] + features[:, 1] ** 2 > 0.7).long() + (features[:, 2] > 0.5).long()
train_loader = DataLoader(TensorDataset(features[:256], classes[:256]), batch_size=64, shuffle=True)
val_loader = DataLoader(TensorDataset(features[256:], classes[256:]), batch_size=64)

model = nn.Sequential(nn.Linear(10, 32, bias=False), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
swa_model = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = CosineAnnealingLR(optimizer, T_max=10)
swa_start = 6
swa_scheduler = SWALR(optimizer, swa_lr=0.05, anneal_epochs=2)
loss_fn = nn.CrossEntropyLoss()


def accuracy(net):
    net.eval()
    with torch.no_grad():
        right = sum((net(x).argmax(1) == y).sum().item() for x, y in val_loader)
    return right / len(val_loader.dataset)


for epoch in range(10):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()
    if epoch >= swa_start:
        swa_model.update_parameters(model)
        swa_scheduler.step()
    else:
        scheduler.step()
    print(epoch, accuracy(model))

update_bn(train_loader, swa_model)
print("averaged", accuracy(swa_model))
