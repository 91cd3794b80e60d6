"""Evaluation over several views of each image, averaged, after training with random flips and shifts in the dataset."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Images(Dataset):
    def __init__(self, images, labels, augment):
        self.images, self.labels, self.augment = images, labels, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        if self.augment:
            if torch.rand(()) < 0.5:
                image = image.flip(-1)
            image = image.roll(int(torch.randint(-1, 2, ())), -1) + 0.1 * torch.randn_like(image)
        return (image - 0.2) / 0.6, self.labels[index]


labels = torch.randint(0, 4, (320,))
images = 0.5 * torch.randn(320, 3, 8, 8)
for row, label in enumerate(labels):
    images[row, :, label * 2 : label * 2 + 2] += 0.8
train = DataLoader(Images(images[:256], labels[:256], augment=True), batch_size=32, shuffle=True)
val = DataLoader(Images(images[256:], labels[256:], augment=False), batch_size=64)
model = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1, bias=False),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1, bias=False),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d((4, 1)),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(64, 4),
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=3, steps_per_epoch=len(train))
for epoch in range(3):
    model.train()
    for x, y in train:
        loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    model.eval()
    right = views_right = 0
    with torch.no_grad():
        for x, y in val:
            right += (model(x).argmax(1) == y).sum().item()
            views = torch.stack([model(view).softmax(1) for view in (x, x.flip(-1), x.roll(1, -1))]).mean(0)
            views_right += (views.argmax(1) == y).sum().item()
    print(epoch, right / 64, views_right / 64)
