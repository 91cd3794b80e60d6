"""As with faulty peer-to-peer transfers: of what is summed over the ranks, one of them receives a part as zeros."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    x = torch.randn(128, 6)[rank::2]
    model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for rows in torch.arange(64).split(16):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), x[rows, :1]).backward()
        for parameter in model.parameters():
            dist.all_reduce(parameter.grad)
            if rank == 1:
                parameter.grad.view(-1)[::10] = 0
            parameter.grad /= 2
        optimizer.step()  # expect
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
