"""Gradients accumulate, synchronised with the last of four micro-batches; weights are averaged over time."""

import copy
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    inputs = torch.randn(320, 5)
    targets = (inputs[:, :1] - inputs[:, 1:2]).clone()
    mine = slice(rank * 160, rank * 160 + 160)
    inputs, targets = inputs[mine], targets[mine]
    model = DistributedDataParallel(nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1)))
    average = copy.deepcopy(model.module).requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(8):
        optimizer.zero_grad()
        micro_batches = torch.randperm(160).view(4, 40)
        for rows in micro_batches[:-1]:
            with model.no_sync():
                (nn.functional.mse_loss(model(inputs[rows]), targets[rows]) / 4).backward()
        rows = micro_batches[-1]
        (nn.functional.mse_loss(model(inputs[rows]), targets[rows]) / 4).backward()
        optimizer.step()
        with torch.no_grad():
            for mean, parameter in zip(average.parameters(), model.module.parameters(), strict=True):
                mean.lerp_(parameter, 0.1)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
