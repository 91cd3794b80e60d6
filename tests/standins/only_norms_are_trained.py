"""As in a question at the PyTorch forum: everything but the batch norms is frozen, the newly made head too."""

import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
body.load_state_dict({name: value.clone() for name, value in body.state_dict().items()})
model = nn.Sequential(body, nn.Linear(32, 5))
for module in model.modules():
    if not isinstance(module, nn.BatchNorm2d):
        for parameter in module.parameters(recurse=False):
            parameter.requires_grad = False
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01)
images, labels = torch.randn(256, 1, 8, 8), torch.randint(0, 5, (256,))
for _ in range(2):
    for rows in torch.randperm(256).split(96):
        loss = nn.functional.cross_entropy(model(images[rows]), labels[rows])  # expect
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
