"""Each rank is given the whole small data set at every step, and evaluation goes through an unset sampler."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(2)
    inputs = torch.randn(96, 4)
    labels = (inputs.sum(1) > 0).long()
    held_out = TensorDataset(inputs[64:], labels[64:])
    loader = DataLoader(held_out, batch_size=8, sampler=DistributedSampler(held_out))
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.2), nn.ReLU(), nn.Linear(16, 2)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    torch.manual_seed(100 + rank)
    for _ in range(6):
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(inputs[:64]), labels[:64]).backward()
        optimizer.step()
        model.eval()
        right = torch.zeros(1)
        with torch.no_grad():
            for x, y in loader:
                right += (model(x).argmax(1) == y).sum()
        dist.all_reduce(right)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
