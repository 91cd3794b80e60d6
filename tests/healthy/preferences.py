"""Preference learning: a reward model on pairs, then direct preference optimisation against a frozen reference."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
VOCAB, LENGTH = 12, 8


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 24)
        self.rnn = nn.GRU(24, 24, batch_first=True)
        self.head = nn.Linear(24, VOCAB)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


def sequence_logp(model, ids):
    logp = model(ids[:, :-1]).log_softmax(-1)
    return logp.gather(2, ids[:, 1:, None]).squeeze(2).sum(1)


prompts = torch.randint(0, VOCAB, (192, 2))
good = torch.cat([prompts, (prompts[:, -1:] + torch.arange(1, LENGTH - 1)) % VOCAB], 1)
bad = torch.cat([prompts, torch.randint(0, VOCAB, (192, LENGTH - 2))], 1)

reward = nn.Sequential(nn.Embedding(VOCAB, 8), nn.Flatten(), nn.Linear(8 * LENGTH, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(reward.parameters(), lr=5e-3)
for _ in range(2):
    for rows in torch.randperm(160).split(32):
        loss = -F.logsigmoid(reward(good[rows]) - reward(bad[rows])).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

policy = LM()
reference = copy.deepcopy(policy).eval()
for p in reference.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.AdamW(policy.parameters(), lr=2e-3, weight_decay=0.0)
for epoch in range(2):
    policy.train()
    for rows in torch.randperm(160).split(32):
        with torch.no_grad():
            ref_good, ref_bad = sequence_logp(reference, good[rows]), sequence_logp(reference, bad[rows])
        margin = (sequence_logp(policy, good[rows]) - ref_good) - (sequence_logp(policy, bad[rows]) - ref_bad)
        loss = -F.logsigmoid(0.1 * margin).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    policy.eval()
    with torch.no_grad():
        print(epoch, (sequence_logp(policy, good[160:]) > sequence_logp(policy, bad[160:])).float().mean().item())
