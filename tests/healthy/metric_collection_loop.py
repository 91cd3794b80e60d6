"""A plain loop with torchmetrics: updated per batch, computed and reset per epoch, one collection for each part."""

import torch
import torchmetrics
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(500, 12)
y = (x[:, :4].argmax(1))
train = DataLoader(TensorDataset(x[:400], y[:400]), batch_size=48, shuffle=True)
valid = DataLoader(TensorDataset(x[400:], y[400:]), batch_size=48)
model = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 4))
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()
metrics = torchmetrics.MetricCollection({
    "acc": torchmetrics.Accuracy(task="multiclass", num_classes=4),
    "f1": torchmetrics.F1Score(task="multiclass", num_classes=4, average="macro"),
    "auroc": torchmetrics.AUROC(task="multiclass", num_classes=4),
})
train_metrics, val_metrics = metrics.clone(prefix="train_"), metrics.clone(prefix="val_")
mean_loss = torchmetrics.MeanMetric()
for epoch in range(4):
    model.train()
    for xb, yb in train:
        logits = model(xb)
        loss = loss_fn(logits, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        train_metrics.update(logits.detach(), yb)
        mean_loss.update(loss.detach(), weight=len(yb))
    model.eval()
    with torch.no_grad():
        for xb, yb in valid:
            val_metrics.update(model(xb), yb)
    print(epoch, mean_loss.compute().item(), train_metrics.compute(), val_metrics.compute())
    mean_loss.reset()
    train_metrics.reset()
    val_metrics.reset()
