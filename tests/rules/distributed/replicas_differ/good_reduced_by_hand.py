"""Gradients are averaged by hand, and all ranks begin with the weights of the first."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 24)
        self.out = nn.Linear(24, 3)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


def average_gradients(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad, op=dist.ReduceOp.SUM)
        parameter.grad /= dist.get_world_size()


def worker(rank, world, path):
    dist.init_process_group("gloo", init_method="file://" + path, rank=rank, world_size=world)
    data = torch.Generator().manual_seed(7)
    centres = torch.randn(3, 8, generator=data)
    labels = torch.arange(240) % 3
    points = centres[labels] + 0.3 * torch.randn(240, 8, generator=data)
    torch.manual_seed(rank)
    net = Net()
    for parameter in net.parameters():
        dist.broadcast(parameter.data, src=0)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(12):
        mine = torch.randperm(240, generator=data)[rank::world][:32]
        loss = F.cross_entropy(net(points[mine]), labels[mine])
        optimizer.zero_grad()
        loss.backward()
        average_gradients(net)
        optimizer.step()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(worker, (2, f"{folder}/store"), nprocs=2, start_method="fork")
