"""Fine-tuning on two ranks: the backbone is frozen at first, and wrapped anew once it is unfrozen."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def build():
    backbone = nn.Sequential(nn.Linear(12, 24), nn.GELU())
    head = nn.Linear(24, 1)
    backbone.requires_grad_(False)
    return nn.Sequential(backbone, head)


def run_epoch(model, optimizer, x, y, order):
    for rows in order.split(16):
        optimizer.zero_grad()
        loss = F.huber_loss(model(x[rows]).squeeze(1), y[rows])
        loss.backward()
        optimizer.step()


def run(rank, store):
    dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=2)
    torch.manual_seed(11)
    x = torch.randn(256, 12)
    y = x[:, 0] * x[:, 1] + x[:, 2]
    x, y = x[rank * 128 : rank * 128 + 128], y[rank * 128 : rank * 128 + 128]
    model = DDP(build())
    optimizer = torch.optim.Adam(model.module[1].parameters(), lr=5e-3)
    draws = torch.Generator().manual_seed(rank)
    run_epoch(model, optimizer, x, y, torch.randperm(128, generator=draws))
    model.module[0].requires_grad_(True)
    model = DDP(model.module)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    run_epoch(model, optimizer, x, y, torch.randperm(128, generator=draws))


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(run, (file.name,), nprocs=2, start_method="fork")
