"""Boxes and classes on a grid: losses summed over positive cells and divided by their number, a background class, a
focal term, the rate warmed up and then cut by milestones."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Detector(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.GroupNorm(2, 8), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.GroupNorm(4, 16), nn.ReLU())
        self.classes, self.boxes = nn.Conv2d(16, classes, 1), nn.Conv2d(16, 4, 1)
        nn.init.constant_(self.classes.bias, -4.6)

    def forward(self, x):
        h = self.backbone(x)
        return self.classes(h), self.boxes(h)


def focal(logits, targets, alpha=0.25, gamma=2.0):
    p = logits.sigmoid()
    ce = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    weight = (alpha * targets + (1 - alpha) * (1 - targets)) * ((1 - p) * targets + p * (1 - targets)) ** gamma
    return (weight * ce).sum()


count = 120
images, labels, boxes = torch.randn(count, 1, 16, 16) * 0.2, torch.zeros(count, 3, 4, 4), torch.zeros(count, 4, 4, 4)
for i in range(count):
    for _ in range(int(torch.randint(1, 3, ()))):
        row, column = (int(n) for n in torch.randint(0, 4, (2,)))
        kind = int(torch.randint(0, 3, ()))
        images[i, 0, row * 4 : row * 4 + 4, column * 4 : column * 4 + 2 + kind] += 1.5
        labels[i, :, row, column] = 0
        labels[i, kind, row, column] = 1
        boxes[i, :, row, column] = torch.tensor([0.0, 0.0, 0.5 + kind / 4, 1.0])

model = Detector()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=5)
steps = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[25], gamma=0.1)
scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warmup, steps], milestones=[5])
for epoch in range(5):
    model.train()
    for rows in torch.randperm(96).split(16):
        scores, offsets = model(images[rows])
        positive = labels[rows].sum(1, keepdim=True) > 0
        number = positive.sum().clamp(min=1)
        cls_loss = focal(scores, labels[rows]) / number
        box_loss = (F.smooth_l1_loss(offsets, boxes[rows], reduction="none") * positive).sum() / number
        loss = cls_loss + box_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    model.eval()
    with torch.no_grad():
        scores, _ = model(images[96:])
        print(epoch, (scores.sigmoid().amax(1) > 0.3).float().mean().item(), loss.item())
