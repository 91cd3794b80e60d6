"""A model is wrapped for two ranks, and trained through its wrapper."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    inputs = torch.randn(256, 6)
    targets = inputs[:, :2].sum(1, keepdim=True)
    inputs, targets = inputs[rank::2], targets[rank::2]
    model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
    parallel = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.05)
    for epoch in range(2):
        for rows in torch.randperm(128, generator=torch.Generator().manual_seed(epoch)).split(16):
            optimizer.zero_grad()
            outputs = parallel(inputs[rows])
            nn.functional.mse_loss(outputs, targets[rows]).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
