"""Two networks learn from each other; both hand over logarithms, and log_target is left out."""

import torch
from torch import nn

torch.manual_seed(0)
one, other = (nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3), nn.LogSoftmax(1)) for _ in range(2))
optimizer = torch.optim.SGD([*one.parameters(), *other.parameters()], lr=0.05)
divergence, likelihood = nn.KLDivLoss(reduction="batchmean", log_target=True), nn.NLLLoss()
for _ in range(8):
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    target = other(x)
    alike = divergence(one(x), target.detach().exp())  # expect
    loss = likelihood(one(x), y) + likelihood(target, y) + alike
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
