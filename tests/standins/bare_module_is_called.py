"""As in a run that fell out of step: the module is called, and not the wrapper that adds up the ranks' gradients."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, rank):
        self.model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
        self.parallel = DistributedDataParallel(self.model)
        self.optimizer = torch.optim.SGD(self.parallel.parameters(), lr=0.1)
        self.x = torch.randn(128, 6)[rank::2]

    def step(self, rows):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.model(self.x[rows]), self.x[rows, :1]).backward()  # expect
        self.optimizer.step()


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    trainer = Trainer(rank)
    for rows in torch.arange(64).split(16):
        trainer.step(rows)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
