"""A critic appends the spread of its features over the batch, as progressive growing of GANs does on purpose."""

import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body, self.out = nn.Linear(4, 16), nn.Linear(17, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = nn.functional.leaky_relu(self.body(x), 0.2)
        spread = hidden.std(0).mean().expand(len(x), 1)
        return self.out(torch.cat([hidden, spread], dim=1))


torch.manual_seed(4)
real = torch.randn(96, 4) * 0.4 + 1
critic = Critic()
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))
score = nn.functional.binary_cross_entropy_with_logits
for _ in range(3):
    for rows in torch.randperm(96).split(24):
        optimizer.zero_grad()
        fakes = torch.randn(24, 4)
        loss = score(critic(real[rows]), torch.ones(24, 1)) + score(critic(fakes), torch.zeros(24, 1))
        loss.backward()
        optimizer.step()
