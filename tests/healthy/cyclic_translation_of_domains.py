"""CycleGAN and a domain-adversarial network with a gradient reversal: four networks, shared optimizers, identity
losses, frozen discriminators while generators are trained."""

import itertools

import torch
from torch import nn

torch.manual_seed(0)


def net(outputs):
    return nn.Sequential(nn.Linear(4, 24), nn.LeakyReLU(0.2), nn.Linear(24, outputs))


def set_requires_grad(nets, flag):
    for each in nets:
        for p in each.parameters():
            p.requires_grad = flag


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.scale * grad, None


to_b, to_a, judge_a, judge_b = net(4), net(4), net(1), net(1)
opt_g = torch.optim.Adam(itertools.chain(to_b.parameters(), to_a.parameters()), lr=2e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(itertools.chain(judge_a.parameters(), judge_b.parameters()), lr=2e-3, betas=(0.5, 0.999))
lsgan, l1 = nn.MSELoss(), nn.L1Loss()
for step in range(16):
    a, b = torch.randn(32, 4), torch.randn(32, 4) * 0.5 + 1
    fake_b, fake_a = to_b(a), to_a(b)
    set_requires_grad([judge_a, judge_b], False)
    opt_g.zero_grad()
    score_a, score_b = judge_a(fake_a), judge_b(fake_b)
    adversarial = lsgan(score_a, torch.ones_like(score_a)) + lsgan(score_b, torch.ones_like(score_b))
    cycle = l1(to_a(fake_b), a) + l1(to_b(fake_a), b)
    identity = l1(to_b(b), b) + l1(to_a(a), a)
    (adversarial + 10 * cycle + 5 * identity).backward()
    opt_g.step()
    set_requires_grad([judge_a, judge_b], True)
    opt_d.zero_grad()
    for judge, real, fake in ((judge_a, a, fake_a), (judge_b, b, fake_b)):
        on_real, on_fake = judge(real), judge(fake.detach())
        (0.5 * (lsgan(on_real, torch.ones_like(on_real)) + lsgan(on_fake, torch.zeros_like(on_fake)))).backward()
    opt_d.step()

features, labeller, domain = nn.Sequential(nn.Linear(4, 24), nn.ReLU()), nn.Linear(24, 2), nn.Linear(24, 1)
optimizer = torch.optim.SGD([*features.parameters(), *labeller.parameters(), *domain.parameters()], lr=0.05)
source, target = torch.randn(256, 4), torch.randn(256, 4) + 0.5
labels = (source[:, 0] > 0).long()
bce = nn.BCEWithLogitsLoss()
for epoch in range(3):
    for rows in torch.randperm(256).split(32):
        hs, ht = features(source[rows]), features(target[rows])
        loss = nn.functional.cross_entropy(labeller(hs), labels[rows])
        d = domain(Reverse.apply(torch.cat([hs, ht]), 0.3)).squeeze(1)
        loss = loss + bce(d, torch.cat([torch.zeros(len(rows)), torch.ones(len(rows))]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
