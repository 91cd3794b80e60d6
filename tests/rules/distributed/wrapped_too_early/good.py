"""A network is given a head for the task at hand, and then wrapped for two ranks."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 20), nn.ReLU())
        self.head = nn.Linear(20, 10)

    def forward(self, x):
        return self.head(self.body(x))


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    inputs = torch.randn(240, 6)
    labels = (inputs[:, 0] > 0).long() + (inputs[:, 1] > 0).long()
    inputs, labels = inputs[rank::2], labels[rank::2]
    net = Net()
    net.head = nn.Linear(20, 3)
    net = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        for rows in torch.randperm(120, generator=torch.Generator().manual_seed(epoch)).split(20):
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(inputs[rows]), labels[rows]).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
