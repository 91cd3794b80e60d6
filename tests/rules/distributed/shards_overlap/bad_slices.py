"""Gradients are reduced by hand, and no rank takes its own part of the permutation."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def fit(rank, world, path):
    dist.init_process_group("gloo", init_method="file://" + path, rank=rank, world_size=world)
    torch.manual_seed(1)
    x = torch.rand(200, 4)
    y = torch.sin(3 * x[:, 0]) + x[:, 1] ** 2
    model = Regressor(24)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(2):
        order = torch.randperm(len(x))
        for start in range(0, len(x), 25):
            rows = order[start : start + 25]
            loss = ((model(x[rows]) - y[rows]) ** 2).mean()  # expect
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad.div_(world)
            optimizer.step()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(fit, (2, f"{folder}/group"), nprocs=2, start_method="fork")
