"""A small U-net on images with void pixels (255 is ignored), cross entropy plus a handwritten Dice loss on softmax
probabilities, intersection over union counted over all pixels."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
CLASSES, VOID = 3, 255


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = block(1, 8), block(8, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.merge, self.out = block(16, 8), nn.Conv2d(8, CLASSES, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        return self.out(self.merge(torch.cat([a, self.up(b)], 1)))


def dice(logits, target):
    valid = (target != VOID).unsqueeze(1)
    onehot = F.one_hot(target.clamp(max=CLASSES - 1), CLASSES).permute(0, 3, 1, 2) * valid
    p = logits.softmax(1) * valid
    inter, total = (p * onehot).sum((0, 2, 3)), (p + onehot).sum((0, 2, 3))
    return 1 - ((2 * inter + 1) / (total + 1)).mean()


masks = torch.randint(0, CLASSES, (96, 1, 4, 4)).float()
masks = F.interpolate(masks, scale_factor=4).squeeze(1).long()
images = (masks.float() - 1).unsqueeze(1) + 0.4 * torch.randn(96, 1, 16, 16)
masks[:, 0] = masks[:, -1] = VOID
train = DataLoader(TensorDataset(images[:72], masks[:72]), batch_size=12, shuffle=True)
val = DataLoader(TensorDataset(images[72:], masks[72:]), batch_size=12)
model = UNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
ce = nn.CrossEntropyLoss(ignore_index=VOID)
for epoch in range(3):
    model.train()
    for x, y in train:
        logits = model(x)
        loss = ce(logits, y) + dice(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    confusion = torch.zeros(CLASSES, CLASSES)
    with torch.no_grad():
        for x, y in val:
            keep = y != VOID
            index = y[keep] * CLASSES + model(x).argmax(1)[keep]
            confusion += torch.bincount(index, minlength=CLASSES**2).view(CLASSES, CLASSES)
    iou = confusion.diag() / (confusion.sum(0) + confusion.sum(1) - confusion.diag())
    print(epoch, iou.mean().item())
