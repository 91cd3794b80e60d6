"""The loss is masked by hand, the score is a mean over all positions."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(1)
lines = [torch.randint(1, 15, (int(length),)) for length in torch.randint(4, 11, (192,))]
marks = [1 + line % 3 for line in lines]


class Labeller(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(15, 16)
        self.mix = nn.Conv1d(16, 24, 3, padding=1)
        self.out = nn.Linear(24, 4)

    def forward(self, ids):
        hidden = torch.relu(self.mix(self.embed(ids).transpose(1, 2)))
        return self.out(hidden.transpose(1, 2))


net = Labeller()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
for epoch in range(3):
    for start in range(0, 160, 16):
        ids = pad_sequence(lines[start : start + 16], batch_first=True)
        gold = pad_sequence(marks[start : start + 16], batch_first=True)
        mask = (ids > 0).float()
        each = F.cross_entropy(net(ids).transpose(1, 2), gold, reduction="none")
        loss = (each * mask).sum() / mask.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        ids = pad_sequence(lines[160:], batch_first=True)
        gold = pad_sequence(marks[160:], batch_first=True)
        correct = net(ids).argmax(2) == gold  # expect
        print(epoch, "accuracy", correct.float().mean().item())
