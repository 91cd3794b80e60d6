"""Accuracy on two ranks, of a held-out set with an odd number of examples."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def evaluate(model, loader):
    right, seen = torch.zeros(1), torch.zeros(1)
    model.eval()
    with torch.no_grad():
        for inputs, targets in loader:
            right += (model(inputs).argmax(1) == targets).sum()
            seen += len(targets)
    dist.all_reduce(right)
    dist.all_reduce(seen)  # expect
    return float(right / seen)


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(4)
    labels = torch.arange(261) % 3
    inputs = 2 * torch.eye(3)[labels] + torch.randn(261, 3)
    training, held_out = TensorDataset(inputs[:200], labels[:200]), TensorDataset(inputs[200:], labels[200:])
    sampler = DistributedSampler(training)
    model = DistributedDataParallel(nn.Linear(3, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
    mine = DistributedSampler(held_out, shuffle=False)
    test_loader = DataLoader(held_out, batch_size=16, sampler=mine)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        model.train()
        for x, y in DataLoader(training, batch_size=10, sampler=sampler):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        evaluate(model, test_loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
