"""Two ranks train together, and each loads all examples in the same order."""

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
    torch.manual_seed(5)
    labels = torch.arange(180) % 3
    data = TensorDataset(2 * torch.eye(3)[labels] + torch.randn(180, 3), labels)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=15, shuffle=True)  # expect
    model = DistributedDataParallel(nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(inputs), targets).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(train, (file.name,), nprocs=2, start_method="fork")
