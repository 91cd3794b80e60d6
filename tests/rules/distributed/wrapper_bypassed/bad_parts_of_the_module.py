"""A class trains an encoder and a head through the module inside the wrapper."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.encoder(x))


class Trainer:
    def __init__(self, model, data):
        self.model = DDP(model)
        self.sampler = DistributedSampler(data, shuffle=True)
        self.loader = DataLoader(data, batch_size=16, sampler=self.sampler)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            self.model.train()
            for x, y in self.loader:
                features = self.model.module.encoder(x)  # expect
                loss = F.cross_entropy(self.model.module.head(features), y)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self.optimizer.step()


def main(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(3)
    labels = torch.arange(192) % 4
    data = TensorDataset(torch.randn(4, 10)[labels] + 0.5 * torch.randn(192, 10), labels)
    Trainer(Classifier(), data).fit(2)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(main, (file.name,), nprocs=2, start_method="fork")
