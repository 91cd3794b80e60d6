"""As in DeepSpeed 1801: the norms of a parallel model are replicated, and clipped on the first rank alone."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    x = torch.randn(128, 6)[rank::2]
    model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.Linear(16, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for rows in torch.arange(64).split(16):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), x[rows, :1]).backward()
        if rank == 0:
            nn.utils.clip_grad_norm_(model.module[1].parameters(), 0.01)
        optimizer.step()  # expect
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
