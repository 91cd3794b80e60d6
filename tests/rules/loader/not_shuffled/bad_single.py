"""Online learning with one example a step, over classes that come one behind the other, as floats."""

import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(4)
answers = torch.cat([torch.zeros(50), torch.ones(50)])
points = torch.randn(100, 3) + answers[:, None]
pairs = list(zip(points, answers, strict=True))
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
loader = DataLoader(pairs, batch_size=1, shuffle=False)  # expect
for _ in range(3):
    for point, answer in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(point).squeeze(1), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
