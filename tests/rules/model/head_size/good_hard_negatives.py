"""Similarities with twice as many candidates as questions: the second half are negatives alone."""

import torch
from torch import nn

torch.manual_seed(5)
questions, answers = torch.randn(256, 8), torch.randn(256, 8)
ask, answer = nn.Linear(8, 12), nn.Linear(8, 12)
opt = torch.optim.Adam([*ask.parameters(), *answer.parameters()], lr=3e-3)
for _ in range(5):
    for rows in torch.randperm(256).split(20):
        candidates = torch.cat([answers[rows], torch.randn(len(rows), 8)])
        scores = ask(questions[rows]) @ answer(candidates).T
        opt.zero_grad()
        nn.functional.cross_entropy(scores, torch.arange(len(rows))).backward()
        opt.step()
