"""As in PyTorch 104336: parameters are replaced after the model was wrapped, and its hooks stay with the old ones."""

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
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    model = DistributedDataParallel(model, find_unused_parameters=True)  # expect
    for layer in (model.module[0], model.module[2]):
        layer.weight = nn.Parameter(layer.weight.detach().clone())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for rows in torch.arange(64).split(16):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[rows]), x[rows, :1]).backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
