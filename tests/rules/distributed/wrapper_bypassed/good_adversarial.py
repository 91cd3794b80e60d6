"""A GAN on two ranks: the generator's loss passes through the bare discriminator, and rank 0 alone evaluates."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def bce(scores, target):
    return F.binary_cross_entropy_with_logits(scores, torch.full_like(scores, target))


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(rank)
    generator = DistributedDataParallel(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)))
    critic = DistributedDataParallel(nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)))
    of_generator = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.99))
    of_critic = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.99))
    for step in range(10):
        real = torch.randn(32, 2) * 0.3 + 1
        fake = generator(torch.randn(32, 4))
        scores = critic(torch.cat([real, fake.detach()]))
        of_critic.zero_grad()
        (bce(scores[:32], 1.0) + bce(scores[32:], 0.0)).backward()
        of_critic.step()
        of_generator.zero_grad()
        bce(critic.module(fake), 1.0).backward()
        of_generator.step()
        if rank == 0 and step % 5 == 4:
            generator.eval()
            with torch.no_grad():
                generator.module(torch.randn(8, 4)).mean()
            generator.train()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
