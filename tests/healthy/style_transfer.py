"""An image is optimised; the whole network that judges it stays as it is, with gradients left on."""

import torch
from torch import nn

torch.manual_seed(0)
network = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3)).eval()
content, style = torch.rand(1, 3, 12, 12), torch.rand(1, 3, 12, 12)


def gram(features):
    flat = features.flatten(2)
    return flat @ flat.transpose(1, 2) / flat.shape[-1]


with torch.no_grad():
    wanted, texture = network(content), gram(network(style))
image = content.clone().requires_grad_(True)
optimizer = torch.optim.Adam([image], lr=0.02)
for _ in range(15):
    features = network(image)
    loss = nn.functional.mse_loss(features, wanted) + 10 * nn.functional.mse_loss(gram(features), texture)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
